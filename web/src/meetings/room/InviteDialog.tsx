import { routes } from '@nolo/api';
import { Copy, KeyRound, Link2, Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { isHosting } from './model/meetingRoom.ts';
import { useShare } from '../../shell/useShare.ts';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useRoom, useRoomSession } from './roomContext.ts';
import { useCodeEnded } from '../useCodeEnded.ts';
import { useHosting } from './useHosting.ts';

/** How others find the way here. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const session = useRoomSession();
  const code = useRoom((state) => state.meeting?.roomCode) ?? session.roomCode;
  const name = useRoom((state) => state.meeting?.name) ?? '';
  const hosting = useRoom((state) => isHosting(state.participants[state.selfId ?? '']));
  const ended = useCodeEnded(useRoom((state) => state.meeting?.codeExpiresAt) ?? null);
  const { attempt } = useHosting();
  const { copy, send, hasSheet } = useShare();
  const [direct, setDirect] = useState<string | null>(null);
  const [making, setMaking] = useState<'link' | 'code' | null>(null);
  const link = direct ?? `${location.origin}/meeting/${code}`;

  const make = async (what: 'link' | 'code'): Promise<void> => {
    const params = { roomCode: code };
    setMaking(what);
    await attempt(async () => {
      if (what === 'link') setDirect((await call(routes.createInvite, { params })).url);
      else {
        const { roomCode } = await call(routes.rotateRoomCode, { params, body: {} });
        toast({ kind: 'success', title: t('meeting.invite.newCodeMade', { code: roomCode }) });
      }
    });
    setMaking(null);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('meeting.invite.title')}
      {...(!ended && { description: t('meeting.invite.text') })}
    >
      <div className="flex flex-col gap-4">
        {ended && (
          <p role="status" className="rounded-card bg-sunken px-4 py-3 text-14 text-muted">
            {t(hosting ? 'meeting.invite.ended' : 'meeting.invite.endedAsk')}
          </p>
        )}
        {(!ended || direct !== null) && (
          <div className="flex items-end gap-2">
            <TextField
              className="min-w-0 flex-1"
              label={t('meeting.invite.link')}
              hint={direct === null ? undefined : t('meeting.invite.directHint')}
              value={link}
              readOnly
              onFocus={(event) => event.currentTarget.select()}
            />
            <Button
              className={direct === null ? '' : 'mb-6'}
              icon={<Copy />}
              onClick={() => void copy(link, t('meeting.invite.linkCopied'))}
            >
              {t('meeting.invite.copyLink')}
            </Button>
          </div>
        )}
        {!ended && (
          <div className="flex items-end gap-2">
            <TextField
              className="min-w-0 flex-1"
              label={t('meeting.invite.code')}
              value={code}
              readOnly
              inputClassName="font-mono tracking-widest"
              onFocus={(event) => event.currentTarget.select()}
            />
            <Button kind="secondary" icon={<Copy />} onClick={() => void copy(code, t('meeting.invite.codeCopied'))}>
              {t('meeting.invite.copyCode')}
            </Button>
          </div>
        )}
        <div className="flex flex-wrap gap-2">
          {hosting && ended && (
            <Button icon={<KeyRound />} busy={making === 'code'} onClick={() => void make('code')}>
              {t('meeting.invite.newCode')}
            </Button>
          )}
          {hosting && direct === null && (
            <Button kind="secondary" icon={<Link2 />} busy={making === 'link'} onClick={() => void make('link')}>
              {t('meeting.invite.direct')}
            </Button>
          )}
          {hasSheet && (!ended || direct !== null) && (
            <Button
              kind="secondary"
              icon={<Share2 />}
              onClick={() => void send({ title: name, url: link }, t('meeting.invite.linkCopied'))}
            >
              {t('meeting.invite.shareOn')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
