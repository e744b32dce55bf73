import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { enMeeting } from './enMeeting.ts';
import { addWords } from '../../i18n/i18n.ts';
import type { LocalDevices } from './media/LocalDevices.ts';
import { toast } from '../../ui/toasts.ts';

/** Says once why the background is not blurred any more: what is behind somebody must not be seen unawares. */
export function BlurNotice({ own }: { own: LocalDevices }) {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'meeting', enMeeting);
  const problem = useStore(own.store, (state) => state.blurProblem);
  useEffect(() => {
    if (problem === null) return;
    own.store.setState({ blurProblem: null });
    toast({ kind: 'error', title: t(`meeting.blur.${problem}.title`), description: t(`meeting.blur.${problem}.text`) });
  }, [own, problem, t]);
  return null;
}
