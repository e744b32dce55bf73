import { routes } from '@nolo/api';
import { looksLikeRoomCode, normalizeRoomCode, roomCodeKindOf } from '@nolo/rules';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError, call } from '../api/httpClient.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { RoomCodeField } from '../ui/RoomCodeField.tsx';
import { groupJoinPath, groupPath, readGroupCodeInput, type GroupCodeInput } from './groupAddress.ts';
import { useJoinGroup } from './useJoinGroup.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** Resolves to true if a meeting has this code, regardless of its admission. Rejects if that is unknown. */
async function isMeeting(code: string): Promise<boolean> {
  try {
    await call(routes.joinMeeting, { params: { code }, body: {} });
    return true;
  } catch (error) {
    const isAnswer = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
    if (!isAnswer) throw error;
    return error.code !== 'meeting_not_found';
  }
}

/** Asks for a room code, then joins or asks to join (spec section 5). */
export function JoinGroupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(groupsTexts);
  const navigate = useNavigate();
  const { join, failureText } = useJoinGroup();
  const field = useRef<HTMLInputElement>(null);
  const [input, setInput] = useState<GroupCodeInput>({ code: '' });
  const [error, setError] = useState<string | null>(null);

  const refuse = (title: string, text?: string) => {
    setError(text === undefined ? title : t('common.titled', { title, text }));
    field.current?.focus();
  };

  const submit = async () => {
    const code = normalizeRoomCode(input.code);
    if (code === '') {
      refuse(t('groups:problem.codeMissing'));
      return;
    }
    if (!looksLikeRoomCode(code)) {
      refuse(t('groups:problem.codeTitle'), t('groups:problem.codeText'));
      return;
    }
    try {
      if (roomCodeKindOf(code) === 'meeting' && (await isMeeting(code))) {
        refuse(t('groups:problem.codeTitle'), t('groups:problem.codeOfMeeting'));
        return;
      }
      const outcome = await join(code, input.invite);
      onClose();
      void navigate(outcome.joined ? groupPath(outcome.id) : groupJoinPath({ code }));
    } catch (failure) {
      const isUnknown = failure instanceof ApiError && failure.code === 'conversation_not_found';
      refuse(isUnknown ? t('chats.groupNotFound') : t('groups:problem.join'), failureText(failure));
    }
  };

  return (
    <FormDialog
      size="small"
      initialFocus={() => field.current}
      title={t('groups:joinForm.title')}
      description={t('groups:joinForm.text')}
      submitLabel={t('groups:joinForm.submit')}
      busyLabel={t('groups:joinForm.joining')}
      onClose={onClose}
      onSubmit={submit}
    >
      <RoomCodeField
        ref={field}
        label={t('groups:joinForm.code')}
        hint={input.invite === undefined ? null : t('groups:joinForm.inviteHeld')}
        error={error}
        value={input.code}
        onChange={(typed) => {
          setInput(readGroupCodeInput(typed));
          setError(null);
        }}
      />
    </FormDialog>
  );
}
