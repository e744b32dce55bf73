import { routes, type Meeting } from '@nolo/api';
import { useRef, useState } from 'react';
import { useShareActions } from '../shell/useShareActions.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { meetingsQueryKey } from './meetingQueries.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

/** Invite link that admits directly (decision 9). The server stores only its hash, so it is shown once. */
export function InviteLinkDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const { copy } = useShareActions();
  const [inForce, setInForce] = useState(meeting.hasInvite);
  const [url, setUrl] = useState<string | null>(null);
  const createButton = useRef<HTMLButtonElement>(null);

  const create = useAction(routes.createInvite, {
    failure: t('meetings.invite.createFailed'),
    invalidates: [meetingsQueryKey],
    onDone: (made) => {
      setUrl(made.url);
      setInForce(true);
    },
  });
  const revoke = useAction(routes.revokeInvite, {
    failure: t('meetings.invite.revokeFailed'),
    invalidates: [meetingsQueryKey],
    onDone: () => {
      toast({ kind: 'success', title: t('meetings.invite.revoked') });
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
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      initialFocus={() => createButton.current}
      title={t('meetings.invite.title')}
      description={t('meetings.invite.text')}
      footer={
        <>
          {inForce && (
            <Button kind="secondary" busy={revoke.busy} onClick={() => run(revoke)}>
              {t('meetings.invite.revoke')}
            </Button>
          )}
          {url === null ? (
            <Button ref={createButton} busy={create.busy} onClick={() => run(create)}>
              {inForce ? t('meetings.invite.replace') : t('meetings.invite.create')}
            </Button>
          ) : (
            <Button onClick={onClose}>{t('roomCode.done')}</Button>
          )}
        </>
      }
    >
      {url === null ? (
        <p role="status" className="rounded-card bg-sunken px-4 py-3 text-14 text-muted">
          {inForce ? t('meetings.invite.held') : t('meetings.invite.none')}
        </p>
      ) : (
        <CopyField
          label={t('meetings.invite.link')}
          value={url}
          copyLabel={t('roomCode.copyLink')}
          onCopy={() => void copy(url, t('meetings.share.linkCopied'))}
        />
      )}
    </Dialog>
  );
}
