import { toast } from '../ui/toasts.ts';
import { copyText, shareInvitation } from './invite.ts';
import { useContactsWords } from './useContactsWords.ts';

export interface Invite {
  /** By the system's share sheet, or into the clipboard. */
  share: (invitationUrl: string) => Promise<void>;
  copy: (invitationUrl: string) => Promise<void>;
}

/** Sends an invitation by whatever the person has at hand (decision 6). */
export function useInvite(): Invite {
  const { t } = useContactsWords();
  const say = (copied: boolean) =>
    toast(
      copied
        ? { kind: 'success', title: t('success.copied'), description: t('contacts.invitationCopied') }
        : { kind: 'error', title: t('errors.copyLink') },
    );
  return {
    async share(url) {
      const outcome = await shareInvitation(t('contacts.invitation', { url }));
      if (outcome === 'copied' || outcome === 'failed') say(outcome === 'copied');
    },
    copy: async (url) => void say(await copyText(url)),
  };
}
