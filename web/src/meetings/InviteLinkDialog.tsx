import type { Meeting } from '@nolo/api';
import { useRef, useState } from 'react';
import { useShareActions } from '../shell/useShareActions.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { useMeetingHostActions } from './useMeetingHostActions.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

/** Invite link that admits directly (decision 9). The server stores only its hash, so it is shown once. */
export function InviteLinkDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const { createInvite, revokeInvite } = useMeetingHostActions();
  const { copy } = useShareActions();
  const [inForce, setInForce] = useState(meeting.hasInvite);
  const [url, setUrl] = useState<string | null>(null);
  const [busy, setBusy] = useState<'create' | 'revoke' | null>(null);

  const createButton = useRef<HTMLButtonElement>(null);

  const create = async () => {
    if (busy !== null) return;
    setBusy('create');
    const made = await createInvite(meeting);
    if (made) {
      setUrl(made.result.url);
      setInForce(true);
    }
    setBusy(null);
  };
  const revoke = async () => {
    if (busy !== null) return;
    setBusy('revoke');
    if (await revokeInvite(meeting)) {
      setUrl(null);
      setInForce(false);
    }
    setBusy(null);
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
            <Button kind="secondary" busy={busy === 'revoke'} onClick={() => void revoke()}>
              {t('meetings.invite.revoke')}
            </Button>
          )}
          {url === null ? (
            <Button ref={createButton} busy={busy === 'create'} onClick={() => void create()}>
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
