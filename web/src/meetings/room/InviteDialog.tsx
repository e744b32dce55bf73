import { routes } from '@nolo/api';
import { KeyRound, Link2 } from 'lucide-react';
import { call } from '../../api/httpClient.ts';
import { isHosting } from '@nolo/client/rooms/roomState';
import { ShareDialog } from '../../share/ShareDialog.tsx';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { useRoomState, useRoomSession } from './roomContext.ts';
import { toSharedMeeting } from '../toSharedMeeting.ts';
import { useHasRoomCodeExpired } from '../useHasRoomCodeExpired.ts';
import { useHostActions } from './useHostActions.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';
import { meetingsTexts } from '../meetingsTexts.ts';
import { roomCodeTexts } from '../../i18n/roomCodeTexts.ts';

export interface InviteDialogProps {
  /** Link that admits directly, if created here. It is available only then. */
  direct: string | null;
  onDirect: (url: string) => void;
  onClose: () => void;
}

/** Ways to invite others: those that everyone can share, and those that only hosts create. */
export function InviteDialog({ direct, onDirect, onClose }: InviteDialogProps) {
  const { t } = useTexts(meetingTexts, meetingsTexts, roomCodeTexts);
  const session = useRoomSession();
  const code = useRoomState((state) => state.meeting?.roomCode) ?? session.roomCode;
  const name = useRoomState((state) => state.meeting?.name) ?? t('meeting:title');
  const hosting = useRoomState((state) => isHosting(state.participants[state.selfId ?? '']));
  const ended = useHasRoomCodeExpired(useRoomState((state) => state.meeting?.codeExpiresAt) ?? null);
  const { attempt, running } = useHostActions();
  const params = { roomCode: code };
  const createLink = async () => onDirect((await call(routes.createInvite, { params })).url);
  const createCode = async () => {
    const { roomCode } = await call(routes.rotateRoomCode, { params, body: {} });
    toast({ kind: 'success', title: t('roomCode:rotated', { code: roomCode }) });
  };
  const bare = ended && direct === null;
  return (
    <ShareDialog
      title={t('meeting:invite.title')}
      {...(!bare && { description: t(direct === null ? 'meeting:invite.text' : 'meeting:invite.directText') })}
      shared={toSharedMeeting({ name, roomCode: ended ? null : code, directUrl: direct }, t)}
      more={
        hosting && (
          <>
            {ended && (
              <Button icon={<KeyRound />} busy={running === 'code'} onClick={() => void attempt(createCode, 'code')}>
                {t('roomCode:rotate')}
              </Button>
            )}
            {direct === null && (
              <Button
                kind="secondary"
                icon={<Link2 />}
                busy={running === 'link'}
                onClick={() => void attempt(createLink, 'link')}
              >
                {t('meeting:invite.direct')}
              </Button>
            )}
          </>
        )
      }
      done={{ label: t('roomCode:done'), onSelect: onClose }}
      onClose={onClose}
    >
      {ended && (
        <p role="status" className="mb-4 rounded-card bg-sunken px-4 py-3 text-14 text-muted">
          {t(hosting ? 'meeting:invite.ended' : 'meeting:invite.endedAsk')}
        </p>
      )}
    </ShareDialog>
  );
}
