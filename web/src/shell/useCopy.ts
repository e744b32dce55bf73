import { useCallback } from 'react';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { copyText } from './share.ts';
import { useTexts } from '../i18n/texts.ts';

/** Copies text to the clipboard, and confirms what was copied. */
export function useCopy(): (text: string, copied: string) => Promise<void> {
  const { t } = useTexts();
  return useCallback(
    async (text, copied) => {
      if (await copyText(text)) toast({ kind: 'success', title: copied });
      else showFailure({ title: t('errors.copy') });
    },
    [t],
  );
}
