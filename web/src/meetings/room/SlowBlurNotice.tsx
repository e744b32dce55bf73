import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { LocalDevices } from './media/LocalDevices.ts';
import { toast } from '../../ui/toasts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Notifies the user once that the blurred picture stutters, and suggests a remedy. */
export function SlowBlurNotice({ own }: { own: LocalDevices }) {
  const { t } = useTexts(meetingTexts);
  const slow = useStore(own.store, (state) => state.blurSlow);
  useEffect(() => {
    if (!slow) return;
    own.store.setState({ blurSlow: false });
    toast({ kind: 'info', title: t('meeting:blur.slow.title'), description: t('meeting:blur.slow.text') });
  }, [own, slow, t]);
  return null;
}
