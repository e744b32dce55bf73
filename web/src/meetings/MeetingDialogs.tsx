import { routes, type Meeting } from '@nolo/api';
import { useState, useRef } from 'react';
import { normalizeRoomCode } from '@nolo/rules';
import { useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { ShareDialog } from '../share/ShareDialog.tsx';
import { useShareActions } from '../shell/useShareActions.ts';
import { RoomCodeDialog } from '../ui/RoomCodeDialog.tsx';
import type { MeetingDialogOrigin } from './meetingForm.ts';
import { MeetingFormDialog } from './MeetingFormDialog.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { RoomCodeField } from '../ui/RoomCodeField.tsx';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { meetingPath } from '../shell/meetingPath.ts';
import { meetingsQueryKey } from './meetingQueries.ts';
import { toSharedMeeting } from './toSharedMeeting.ts';
import { useHasRoomCodeExpired } from './useHasRoomCodeExpired.ts';
import { findRoomCodeProblem, readJoinInput, type JoinInput } from './joinInput.ts';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';
import { roomCodeTexts } from '../i18n/roomCodeTexts.ts';

function MeetingCodeDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useTexts(meetingsTexts, roomCodeTexts);
  const { copy } = useShareActions();
  const [current, setCurrent] = useState(meeting);
  const { roomCode, codeExpiresAt } = current;
  const ended = useHasRoomCodeExpired(codeExpiresAt);
  const params = { roomCode };
  const options = (done: (meeting: Meeting) => string) => ({
    failure: t('roomCode:failed'),
    invalidates: [meetingsQueryKey],
    onDone: (changed: Meeting) => {
      toast({ kind: 'success', title: done(changed) });
      setCurrent(changed);
    },
  });
  const rotate = useAction(
    routes.rotateRoomCode,
    options((changed) => t('roomCode:rotated', { code: changed.roomCode })),
  );
  const expire = useAction(
    routes.expireRoomCode,
    options(() => t('roomCode:expired')),
  );
  return (
    <RoomCodeDialog
      words={{
        title: t('meetings:code.title'),
        text: t('meetings:code.text'),
        none: t('meetings:code.none'),
        rotateText: t('meetings:code.rotateText'),
        expireText: t('meetings:code.expireText'),
      }}
      code={ended ? null : roomCode}
      expiresAt={codeExpiresAt}
      onCopy={(code) => void copy(code, t('roomCode:codeCopied'))}
      onRotate={(expiresAt) => rotate.run({ params, body: expiresAt === null ? {} : { expiresAt } })}
      onExpire={() => expire.run({ params })}
      onClose={onClose}
    />
  );
}

function ShareMeetingDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useTexts(meetingsTexts, roomCodeTexts);
  return (
    <ShareDialog
      title={t('meetings:share.title')}
      description={t('meetings:share.text')}
      shared={toSharedMeeting(meeting, t)}
      done={{ label: t('roomCode:done'), onSelect: onClose }}
      onClose={onClose}
    />
  );
}

export type MeetingDialogRequest =
  { kind: 'create' | 'join' } | { kind: 'edit' | 'share' | 'invite' | 'code' | 'cancel' | 'end'; meeting: Meeting };

export interface MeetingDialogsProps {
  entry: MeetingDialogOrigin;
  dialog: MeetingDialogRequest | null;
  /** Null closes the dialog. A planned meeting leads to its share dialog. */
  onChange: (dialog: MeetingDialogRequest | null) => void;
}

export function MeetingDialogs({ entry, dialog, onChange }: MeetingDialogsProps) {
  const close = () => onChange(null);
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'join':
      return <JoinMeetingDialog entry={entry} onClose={close} />;
    case 'create':
    case 'edit':
      return (
        <MeetingFormDialog
          entry={entry}
          {...('meeting' in dialog && { meeting: dialog.meeting })}
          onClose={close}
          onPlanned={(meeting) => onChange({ kind: 'share', meeting })}
        />
      );
    case 'share':
      return <ShareMeetingDialog meeting={dialog.meeting} onClose={close} />;
    case 'invite':
      return <InviteLinkDialog meeting={dialog.meeting} onClose={close} />;
    case 'code':
      return <MeetingCodeDialog meeting={dialog.meeting} onClose={close} />;
    case 'cancel':
    case 'end':
      return <ConfirmChange kind={dialog.kind} meeting={dialog.meeting} onClose={close} />;
  }
}

function ConfirmChange({ kind, meeting, onClose }: { kind: 'cancel' | 'end'; meeting: Meeting; onClose: () => void }) {
  const { t } = useTexts(meetingsTexts);
  const change = useAction(kind === 'cancel' ? routes.cancelMeeting : routes.endMeeting, {
    failure: t(`meetings:${kind}.failed`),
    invalidates: [meetingsQueryKey],
    onDone: () => {
      toast({ kind: 'success', title: t(`meetings:${kind}.done`) });
      onClose();
    },
  });
  const recurring = meeting.type === 'recurring';
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={t(`meetings:${kind}.title`, { name: meeting.name })}
      text={recurring ? t(`meetings:${kind}.textRecurring`) : t(`meetings:${kind}.text`)}
      confirmLabel={t(`meetings:${kind}.confirm`)}
      {...(kind === 'cancel' && { cancelLabel: t('meetings:cancel.keep') })}
      onConfirm={() => change.run({ params: { roomCode: meeting.roomCode } })}
    />
  );
}

/** Invite link that admits directly (decision 9). The server stores only its hash, so it is shown once. */
function InviteLinkDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useTexts(meetingsTexts, roomCodeTexts);
  const { copy } = useShareActions();
  const [inForce, setInForce] = useState(meeting.hasInvite);
  const [url, setUrl] = useState<string | null>(null);
  const createButton = useRef<HTMLButtonElement>(null);

  const create = useAction(routes.createInvite, {
    failure: t('meetings:invite.createFailed'),
    invalidates: [meetingsQueryKey],
    onDone: (made) => {
      setUrl(made.url);
      setInForce(true);
    },
  });
  const revoke = useAction(routes.revokeInvite, {
    failure: t('meetings:invite.revokeFailed'),
    invalidates: [meetingsQueryKey],
    onDone: () => {
      toast({ kind: 'success', title: t('meetings:invite.revoked') });
      setUrl(null);
      setInForce(false);
    },
  });
  const run = (action: typeof create | typeof revoke) => {
    if (!create.busy && !revoke.busy) void action.run({ params: { roomCode: meeting.roomCode } });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      initialFocus={() => createButton.current}
      title={t('meetings:invite.title')}
      description={t('meetings:invite.text')}
      footer={
        <>
          {inForce && (
            <Button kind="secondary" busy={revoke.busy} onClick={() => run(revoke)}>
              {t('meetings:invite.revoke')}
            </Button>
          )}
          {url === null ? (
            <Button ref={createButton} busy={create.busy} onClick={() => run(create)}>
              {inForce ? t('meetings:invite.replace') : t('meetings:invite.create')}
            </Button>
          ) : (
            <Button onClick={onClose}>{t('roomCode:done')}</Button>
          )}
        </>
      }
    >
      {url === null ? (
        <p role="status" className="rounded-card bg-sunken px-4 py-3 text-14 text-muted">
          {inForce ? t('meetings:invite.held') : t('meetings:invite.none')}
        </p>
      ) : (
        <CopyField
          label={t('meetings:invite.link')}
          value={url}
          copyLabel={t('roomCode:copyLink')}
          onCopy={() => void copy(url, t('meetings:share.linkCopied'))}
        />
      )}
    </Dialog>
  );
}

/** Asks for a room code and opens it. The texts depend on the entry point (spec section 5). */
function JoinMeetingDialog({ entry, onClose }: { entry: MeetingDialogOrigin; onClose: () => void }) {
  const { t } = useTexts(meetingsTexts);
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
    failure: (error) => void refuse(words(error, t('meetings:joinFailed'))),
    onDone: ({ roomCode }, { body }) => {
      onClose();
      void navigate(meetingPath(roomCode, body?.inviteToken));
    },
  });
  const join = async () => {
    const problem = findRoomCodeProblem(input.code);
    if (problem === 'missing') {
      if (entry === 'screen') refuse(t('meetings:problem.codeTitle'), t('meetings:problem.codeText'));
      else refuse(t('meetings:problem.code'));
      return;
    }
    if (problem === 'shape') {
      refuse(t('meetings:problem.codeShape'));
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
      title={t('meetings:joinForm.title')}
      description={t('meetings:joinForm.text')}
      submitLabel={t('meetings:joinMeeting')}
      busyLabel={t('meetings:joinForm.joining')}
      onClose={onClose}
      onSubmit={join}
    >
      <RoomCodeField
        ref={field}
        label={t('meetings:joinForm.code')}
        hint={input.inviteToken === undefined ? null : t('meetings:joinForm.inviteHeld')}
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
