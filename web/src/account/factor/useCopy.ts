import { useTranslation } from 'react-i18next';
import { copyText } from '../../shell/share.ts';
import { toast } from '../../ui/toasts.ts';

/** Puts something secret into the clipboard, and says what it was. */
export function useCopy(): (text: string, copied: string) => Promise<void> {
  const { t } = useTranslation();
  return async (text, copied) => {
    if (await copyText(text)) toast({ kind: 'success', title: copied });
    else toast({ kind: 'error', title: t('factor.copyFailed') });
  };
}
