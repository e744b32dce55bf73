import { useShare } from '../shell/useShare.ts';
import { useContactsWords } from './useContactsWords.ts';

export interface Invite {
  /** By the system's share sheet, or into the clipboard. */
  share: (invitationUrl: string) => Promise<void>;
  copy: (invitationUrl: string) => Promise<void>;
}

/** Sends an invitation by whatever the person has at hand (decision 6). */
export function useInvite(): Invite {
  const { t } = useContactsWords();
  const { copy, send } = useShare();
  const copied = t('contacts.invitationCopied');
  return {
    share: (url) => send({ text: t('contacts.invitation', { url }) }, copied),
    copy: (url) => copy(url, copied),
  };
}
