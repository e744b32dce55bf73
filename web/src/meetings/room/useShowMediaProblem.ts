import { useCallback } from 'react';
import type { RoomMediaProblem } from '@nolo/client/rooms/OwnMediaControls';
import type { MediaProblemKind } from '@nolo/client/rooms/ports';
import { toast } from '../../ui/toasts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Returns the specification's texts for a media problem. A device in use by another program has its own text. */
export function mediaProblemKeys(problem: RoomMediaProblem, kind?: MediaProblemKind) {
  const isDevice = problem === 'microphone' || problem === 'camera';
  if (isDevice && kind === 'busy') {
    const title = problem === 'camera' ? 'meeting:problem.busyCamera' : 'meeting:problem.busyMicrophone';
    return { title, text: 'meeting:problem.busyInside' } as const;
  }
  if (kind === 'unblurred') {
    return { title: 'meeting:problem.unblurredCamera', text: 'meeting:problem.unblurredInside' } as const;
  }
  const name = isDevice ? 'media' : problem;
  return { title: `meeting:errors.${name}.title`, text: `meeting:errors.${name}.text` } as const;
}

export function useShowMediaProblem(): (problem: RoomMediaProblem, kind?: MediaProblemKind) => void {
  const { t } = useTexts(meetingTexts);
  return useCallback(
    (problem, kind) => {
      const { title, text } = mediaProblemKeys(problem, kind);
      toast({ kind: 'error', title: t(title), description: t(text) });
    },
    [t],
  );
}
