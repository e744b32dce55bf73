import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { enMeeting } from './enMeeting.ts';
import { addWords } from '../../i18n/i18n.ts';
import type { LocalDevices } from './media/LocalDevices.ts';
import { toast } from '../../ui/toasts.ts';

/** Notifies the user once that the blurred picture stutters, and suggests a remedy. */
export function SlowBlurNotice({ own }: { own: LocalDevices }) {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'meeting', enMeeting);
  const slow = useStore(own.store, (state) => state.blurSlow);
  useEffect(() => {
    if (!slow) return;
    own.store.setState({ blurSlow: false });
    toast({ kind: 'info', title: t('meeting.blur.slow.title'), description: t('meeting.blur.slow.text') });
  }, [own, slow, t]);
  return null;
}
