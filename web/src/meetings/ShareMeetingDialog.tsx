import type { Meeting } from '@nolo/api';
import { Megaphone, Share2 } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';
import { featureStore } from '../session/features.ts';
import { requestPost } from '../shell/postRequests.ts';
import { useShare } from '../shell/useShare.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { meetingUrl } from '../shell/meetingPath.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

/** The link and the code of a meeting, to be given away. */
export function ShareMeetingDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const { copy, send, hasSheet } = useShare();
  const { name, roomCode } = meeting;
  const url = meetingUrl(roomCode);
  const copyButton = useRef<HTMLButtonElement>(null);
  const hasSocial = useStore(featureStore, (state) => state.features['social'] === true);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      initialFocus={() => copyButton.current}
      title={t('meetings.share.title')}
      description={t('meetings.share.text')}
      footer={
        <>
          {hasSocial && (
            <Button
              kind="secondary"
              icon={<Megaphone aria-hidden="true" />}
              onClick={() => {
                onClose();
                requestPost({ entry: 'meeting', link: { url, title: name, code: roomCode } });
              }}
            >
              {t('roomCode.social')}
            </Button>
          )}
          {hasSheet && (
            <Button
              kind="secondary"
              icon={<Share2 aria-hidden="true" />}
              onClick={() =>
                void send(
                  { title: name, text: t('roomCode.invitation', { name, code: roomCode }), url },
                  t('meetings.share.linkCopied'),
                )
              }
            >
              {t('roomCode.send')}
            </Button>
          )}
          <Button onClick={onClose}>{t('roomCode.done')}</Button>
        </>
      }
    >
      <p dir="auto" className="mb-4 line-clamp-2 text-14 font-semibold break-words">
        {name}
      </p>
      <div className="flex flex-col gap-4">
        <CopyField
          ref={copyButton}
          label={t('meetings.share.link')}
          value={url}
          copyLabel={t('roomCode.copyLink')}
          onCopy={() => void copy(url, t('meetings.share.linkCopied'))}
        />
        <CopyField
          large
          label={t('roomCode.code')}
          value={roomCode}
          copyLabel={t('roomCode.copyCode')}
          onCopy={() => void copy(roomCode, t('roomCode.codeCopied'))}
        />
      </div>
    </Dialog>
  );
}
