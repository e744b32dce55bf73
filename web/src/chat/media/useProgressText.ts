import { useStore } from 'zustand';
import { useLocale } from '../../i18n/locale.ts';
import { uploadStore } from '@nolo/client/uploads/uploadStore';
import { sizeText } from '../../i18n/sizeText.ts';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

/** Returns the upload progress of a message's files as text. */
export function useProgressText(clientMessageId: string): string {
  const { t } = useTexts(mediaTexts);
  const locale = useLocale();
  const { phase, sent, total } = useStore(uploadStore, (state) => state.uploads[clientMessageId]) ?? {
    phase: 'waiting' as const,
    sent: 0,
    total: null,
  };
  if (phase !== 'uploading') return t(`media:progress.${phase}`);
  if (total === null) return t('media:progress.soFar', { sent: sizeText(sent, locale) });
  return t('media:progress.of', { sent: sizeText(sent, locale), total: sizeText(total, locale) });
}
