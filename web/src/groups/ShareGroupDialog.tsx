import { Megaphone, Share2 } from 'lucide-react';
import { useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { featureStore } from '../session/features.ts';
import { requestPost } from '../shell/postRequests.ts';
import { useShare } from '../shell/useShare.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { groupPath, groupUrl } from './groupAddress.ts';
import { useGroupsWords } from './call/useGroupsWords.ts';

export interface SharedGroup {
  id: string;
  name: string;
  roomCode: string | null;
  isPublic: boolean;
}

/** The link and the code of a group, to be given away. */
export function ShareGroupDialog({ group, onClose }: { group: SharedGroup; onClose: () => void }) {
  const { t } = useGroupsWords();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { copy, send, hasSheet } = useShare();
  const { id, name, roomCode, isPublic } = group;
  const url = roomCode === null ? null : groupUrl(roomCode);
  const copyButton = useRef<HTMLButtonElement>(null);
  const here = pathname === groupPath(id);
  const hasSocial = useStore(featureStore, (state) => state.features['social'] === true);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      initialFocus={() => copyButton.current}
      title={t('groups.share.title')}
      description={t(isPublic ? 'groups.share.publicText' : 'groups.share.privateText')}
      footer={
        <>
          {hasSocial && roomCode !== null && url !== null && (
            <Button
              kind="secondary"
              icon={<Megaphone aria-hidden="true" />}
              onClick={() => {
                onClose();
                requestPost({ entry: 'group', link: { url, title: name, code: roomCode } });
              }}
            >
              {t('roomCode.social')}
            </Button>
          )}
          {hasSheet && roomCode !== null && url !== null && (
            <Button
              kind="secondary"
              icon={<Share2 aria-hidden="true" />}
              onClick={() =>
                void send(
                  { title: name, text: t('roomCode.invitation', { name, code: roomCode }), url },
                  t('groups.share.linkCopied'),
                )
              }
            >
              {t('roomCode.send')}
            </Button>
          )}
          <Button
            onClick={() => {
              onClose();
              if (!here) void navigate(groupPath(id));
            }}
          >
            {t(here ? 'roomCode.done' : 'groups.share.open')}
          </Button>
        </>
      }
    >
      <p dir="auto" className="mb-4 line-clamp-2 text-14 font-semibold wrap-anywhere">
        {name}
      </p>
      {roomCode === null || url === null ? (
        <p className="rounded-card bg-sunken px-4 py-3 text-14 text-muted">{t('groups.share.noCode')}</p>
      ) : (
        <div className="flex flex-col gap-4">
          <CopyField
            ref={copyButton}
            label={t('groups.share.link')}
            value={url}
            copyLabel={t('roomCode.copyLink')}
            onCopy={() => void copy(url, t('groups.share.linkCopied'))}
          />
          <CopyField
            large
            label={t('roomCode.code')}
            value={roomCode}
            copyLabel={t('roomCode.copyCode')}
            onCopy={() => void copy(roomCode, t('roomCode.codeCopied'))}
          />
        </div>
      )}
    </Dialog>
  );
}
