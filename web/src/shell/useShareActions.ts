import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { copyText, shareOrCopy } from './share.ts';
import { useTexts } from '../i18n/texts.ts';

export interface ShareActions {
  /** Copies text to the clipboard and confirms what was copied. */
  copy: (text: string, copied: string) => Promise<void>;
  /** Opens the system's share sheet. Otherwise, copies to the clipboard and confirms what was copied. */
  send: (data: ShareData, copied: string) => Promise<void>;
  /** True if the system has a share sheet. */
  hasSheet: boolean;
}

/** Shares links, codes, and invitations by any means available on the device. Nolo itself sends none of them. */
export function useShareActions(): ShareActions {
  const { t } = useTexts();
  const showCopyResult = (done: boolean, copied: string): void => {
    if (done) toast({ kind: 'success', title: t('success.copied'), description: copied });
    else showFailure({ title: t('errors.copyLink') });
  };
  return {
    copy: async (text, copied) => showCopyResult(await copyText(text), copied),
    send: async (data, copied) => {
      const outcome = await shareOrCopy(data);
      if (outcome === 'copied' || outcome === 'failed') showCopyResult(outcome === 'copied', copied);
    },
    hasSheet: typeof navigator.share === 'function',
  };
}
