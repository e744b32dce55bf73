import { routes } from '@nolo/api';
import { normalizeRoomCode } from '@nolo/rules';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { FormDialog } from '../ui/FormDialog.tsx';
import { RoomCodeField } from '../ui/RoomCodeField.tsx';
import { useAction } from '../ui/useAction.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { findRoomCodeProblem, readJoinInput, type JoinInput } from './joinInput.ts';
import { meetingPath } from '../shell/meetingPath.ts';
import type { MeetingDialogOrigin } from './meetingDialogOrigin.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

/** Asks for a room code and opens it. The texts depend on the entry point (spec section 5). */
export function JoinMeetingDialog({ entry, onClose }: { entry: MeetingDialogOrigin; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const words = useExplainFailure();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [input, setInput] = useState<JoinInput>({ code: '' });
  const [error, setError] = useState<string | null>(null);

  const refuse = (title: string, text?: string) => {
    setError(text === undefined ? title : t('common.titled', { title, text }));
    field.current?.focus();
  };

  const enter = useAction(routes.joinMeeting, {
    failure: (error) => void refuse(words(error, t('meetings.joinFailed'))),
    onDone: ({ roomCode }, { body }) => {
      onClose();
      void navigate(meetingPath(roomCode, body?.inviteToken));
    },
  });
  const join = async () => {
    const problem = findRoomCodeProblem(input.code);
    if (problem === 'missing') {
      if (entry === 'screen') refuse(t('meetings.problem.codeTitle'), t('meetings.problem.codeText'));
      else refuse(t('meetings.problem.code'));
      return;
    }
    if (problem === 'shape') {
      refuse(t('meetings.problem.codeShape'));
      return;
    }
    const { inviteToken } = input;
    await enter.run({
      params: { code: normalizeRoomCode(input.code) },
      body: inviteToken === undefined ? {} : { inviteToken },
    });
  };

  return (
    <FormDialog
      size="small"
      initialFocus={() => field.current}
      title={t('meetings.joinForm.title')}
      description={t('meetings.joinForm.text')}
      submitLabel={t('meetings.joinMeeting')}
      busyLabel={t('meetings.joinForm.joining')}
      onClose={onClose}
      onSubmit={join}
    >
      <RoomCodeField
        ref={field}
        label={t('meetings.joinForm.code')}
        hint={input.inviteToken === undefined ? null : t('meetings.joinForm.inviteHeld')}
        error={error}
        value={input.code}
        onChange={(typed) => {
          setInput(readJoinInput(typed));
          setError(null);
        }}
      />
    </FormDialog>
  );
}
