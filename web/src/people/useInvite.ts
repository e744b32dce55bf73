import { useShare } from '../shell/useShare.ts';
import { useContactsWords } from './useContactsWords.ts';

export interface Invite {
  /** Shares by the system's share sheet, or copies to the clipboard. */
  share: (invitationUrl: string) => Promise<void>;
  copy: (invitationUrl: string) => Promise<void>;
}

/** Sends an invitation by any means available on the device (decision 6). */
export function useInvite(): Invite {
  const { t } = useContactsWords();
  const { copy, send } = useShare();
  const copied = t('contacts.invitationCopied');
  return {
    share: (url) => send({ text: t('contacts.invitation', { url }) }, copied),
    copy: (url) => copy(url, copied),
  };
}
