import { useTranslation } from 'react-i18next';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { copyText, shareOut } from './share.ts';

export interface Share {
  /** Puts a text into the clipboard and says what was copied. */
  copy: (text: string, copied: string) => Promise<void>;
  /** By the system's share sheet; the clipboard is what remains, and then it is said what was copied. */
  send: (data: ShareData, copied: string) => Promise<void>;
  /** Whether the system has a share sheet. */
  hasSheet: boolean;
}

/** Gives links, codes and invitations away by whatever the person has at hand. Nolo itself sends none of them. */
export function useShare(): Share {
  const { t } = useTranslation();
  const say = (done: boolean, copied: string): void => {
    if (done) toast({ kind: 'success', title: t('success.copied'), description: copied });
    else showFailure({ title: t('errors.copyLink') });
  };
  return {
    copy: async (text, copied) => say(await copyText(text), copied),
    send: async (data, copied) => {
      const outcome = await shareOut(data);
      if (outcome === 'copied' || outcome === 'failed') say(outcome === 'copied', copied);
    },
    hasSheet: typeof navigator.share === 'function',
  };
}
