import type { i18n } from 'i18next';
import { addWords } from '../../i18n/i18n.ts';
import { toast } from '../../ui/toasts.ts';
import { enProfile } from './enProfile.ts';

/** Reports the result of the account archive, wherever the user is. */
export function notifyExportOutcome(state: 'ready' | 'failed', words: i18n): void {
  addWords(words, 'profile', enProfile);
  if (state === 'failed') toast({ kind: 'error', title: words.t('profile.archive.failed') });
  else
    toast({ kind: 'success', title: words.t('profile.archive.ready'), description: words.t('profile.archive.where') });
}
