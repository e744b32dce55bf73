import { useShareActions } from '../shell/useShareActions.ts';
import { useContactsWords } from './useContactsWords.ts';

export interface InviteAction {
  /** Shares by the system's share sheet, or copies to the clipboard. */
  share: (invitationUrl: string) => Promise<void>;
  copy: (invitationUrl: string) => Promise<void>;
}

/** Sends an invitation by any means available on the device (decision 6). */
export function useInviteAction(): InviteAction {
  const { t } = useContactsWords();
  const { copy, send } = useShareActions();
  const copied = t('contacts.invitationCopied');
  return {
    share: (url) => send({ text: t('contacts.invitation', { url }) }, copied),
    copy: (url) => copy(url, copied),
  };
}
