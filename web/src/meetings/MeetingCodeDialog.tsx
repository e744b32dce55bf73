import type { Meeting } from '@nolo/api';
import { useState } from 'react';
import { useShareActions } from '../shell/useShareActions.ts';
import { RoomCodeDialog } from '../ui/RoomCodeDialog.tsx';
import { useHasRoomCodeExpired } from './useHasRoomCodeExpired.ts';
import { useMeetingHostActions } from './useMeetingHostActions.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

/** Room code of a meeting, for its hosts. */
export function MeetingCodeDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const { rotate, expireCode } = useMeetingHostActions();
  const { copy } = useShareActions();
  const [current, setCurrent] = useState(meeting);
  const { roomCode, codeExpiresAt } = current;
  const ended = useHasRoomCodeExpired(codeExpiresAt);
  const change = async (changing: Promise<{ result: Meeting } | undefined>) => {
    const changed = await changing;
    if (changed) setCurrent(changed.result);
  };
  return (
    <RoomCodeDialog
      words={{
        title: t('meetings.code.title'),
        text: t('meetings.code.text'),
        none: t('meetings.code.none'),
        rotateText: t('meetings.code.rotateText'),
        expireText: t('meetings.code.expireText'),
      }}
      code={ended ? null : roomCode}
      expiresAt={codeExpiresAt}
      onCopy={(code) => void copy(code, t('roomCode.codeCopied'))}
      onRotate={(expiresAt) => change(rotate(current, expiresAt ?? undefined))}
      onExpire={() => change(expireCode(current))}
      onClose={onClose}
    />
  );
}
