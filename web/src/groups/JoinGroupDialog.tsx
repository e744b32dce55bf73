import { looksLikeRoomCode, normalizeRoomCode, roomCodeKind } from '@nolo/rules';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { FormDialog } from '../ui/FormDialog.tsx';
import { RoomCodeField } from '../ui/RoomCodeField.tsx';
import { doorPath, groupPath, readGroupInput } from './groupAddress.ts';
import type { GroupInput } from './groupAddress.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';
import { useJoinGroup } from './useJoinGroup.ts';

/** Asks for a room code and joins, or asks to join (spec section 5). */
export function JoinGroupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useGroupsWords();
  const navigate = useNavigate();
  const { join, failureText } = useJoinGroup();
  const field = useRef<HTMLInputElement>(null);
  const [input, setInput] = useState<GroupInput>({ code: '' });
  const [error, setError] = useState<string | null>(null);

  const refuse = (title: string, text?: string) => {
    setError(text === undefined ? title : t('common.titled', { title, text }));
    field.current?.focus();
  };

  const submit = async () => {
    const code = normalizeRoomCode(input.code);
    if (code === '') {
      refuse(t('groups.problem.codeMissing'));
      return;
    }
    if (!looksLikeRoomCode(code)) {
      refuse(t('groups.problem.codeTitle'), t('groups.problem.codeText'));
      return;
    }
    if (roomCodeKind(code) === 'meeting') {
      refuse(t('groups.problem.codeTitle'), t('groups.problem.codeOfMeeting'));
      return;
    }
    try {
      const outcome = await join(code, input.inviteToken);
      onClose();
      void navigate(outcome.joined ? groupPath(outcome.id) : doorPath({ code }));
    } catch (failure) {
      refuse(t('groups.problem.join'), failureText(failure));
    }
  };

  return (
    <FormDialog
      size="small"
      initialFocus={() => field.current}
      title={t('groups.joinForm.title')}
      description={t('groups.joinForm.text')}
      submitLabel={t('groups.joinForm.submit')}
      busyLabel={t('groups.joinForm.joining')}
      onClose={onClose}
      onSubmit={submit}
    >
      <RoomCodeField
        ref={field}
        label={t('groups.joinForm.code')}
        hint={input.inviteToken === undefined ? null : t('groups.joinForm.inviteHeld')}
        error={error}
        value={input.code}
        onChange={(typed) => {
          setInput(readGroupInput(typed));
          setError(null);
        }}
      />
    </FormDialog>
  );
}
