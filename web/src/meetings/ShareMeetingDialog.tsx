import type { Meeting } from '@nolo/api';
import { Megaphone, Share2 } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';
import { featureStore } from '../session/features.ts';
import { requestPost } from '../shell/postRequests.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { meetingUrl } from '../shell/meetingPath.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';
import { useShareMeeting } from './useShareMeeting.ts';

/** The link and the code of a meeting, to be given away. */
export function ShareMeetingDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const { copyLink, copyCode, send } = useShareMeeting();
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
              {t('meetings.share.social')}
            </Button>
          )}
          {send !== null && (
            <Button
              kind="secondary"
              icon={<Share2 aria-hidden="true" />}
              onClick={() => void send({ name, code: roomCode, url })}
            >
              {t('meetings.share.send')}
            </Button>
          )}
          <Button onClick={onClose}>{t('meetings.share.done')}</Button>
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
          copyLabel={t('meetings.share.copyLink')}
          onCopy={() => void copyLink(url)}
        />
        <CopyField
          large
          label={t('meetings.share.code')}
          value={roomCode}
          copyLabel={t('meetings.share.copyCode')}
          onCopy={() => void copyCode(roomCode)}
        />
      </div>
    </Dialog>
  );
}
