import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoomProblem } from '../../media/OwnSwitches.ts';
import { toast } from '../../state/toasts.ts';

/** Says in the specification's words what of one's own media did not work. */
export function useMediaProblems(): (problem: RoomProblem) => void {
  const { t } = useTranslation();
  return useCallback(
    (problem) => {
      const kind = problem === 'microphone' || problem === 'camera' ? 'media' : problem;
      toast({
        kind: 'error',
        title: t(`meeting.errors.${kind}.title`),
        description: t(`meeting.errors.${kind}.text`),
      });
    },
    [t],
  );
}
