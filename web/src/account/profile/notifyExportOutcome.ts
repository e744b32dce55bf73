import type { i18n } from 'i18next';
import { toast } from '../../ui/toasts.ts';
import { getTranslate } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/** Reports the result of the account archive, wherever the user is. */
export function notifyExportOutcome(state: 'ready' | 'failed', words: i18n): void {
  if (state === 'failed') toast({ kind: 'error', title: getTranslate(words, profileTexts)('profile:archive.failed') });
  else
    toast({
      kind: 'success',
      title: getTranslate(words, profileTexts)('profile:archive.ready'),
      description: getTranslate(words, profileTexts)('profile:archive.where'),
    });
}
