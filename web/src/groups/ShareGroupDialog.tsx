import { useLocation, useNavigate } from 'react-router-dom';
import { ShareDialog } from '../share/ShareDialog.tsx';
import { groupPath, groupUrl } from './groupAddress.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';
import { roomCodeTexts } from '../i18n/roomCodeTexts.ts';

export interface SharedGroup {
  id: string;
  name: string;
  roomCode: string | null;
  isPublic: boolean;
}

export function ShareGroupDialog({ group, onClose }: { group: SharedGroup; onClose: () => void }) {
  const { t } = useTexts(groupsTexts, roomCodeTexts);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { id, name, roomCode, isPublic } = group;
  const here = pathname === groupPath(id);
  const url = roomCode === null ? '' : groupUrl(roomCode);
  return (
    <ShareDialog
      title={t('groups:share.title')}
      description={t(isPublic ? 'groups:share.publicText' : 'groups:share.privateText')}
      shared={
        roomCode === null
          ? null
          : {
              name,
              text: t('roomCode:invitation', { name, code: roomCode }),
              link: {
                url,
                label: t('groups:share.link'),
                copyLabel: t('roomCode:copyLink'),
                copied: t('groups:share.linkCopied'),
              },
              code: {
                spelled: true,
                value: roomCode,
                label: t('roomCode:code'),
                copyLabel: t('roomCode:copyCode'),
                copied: t('roomCode:codeCopied'),
              },
              post: { entry: 'group', link: { url, title: name, code: roomCode } },
            }
      }
      done={{
        label: t(here ? 'roomCode:done' : 'groups:share.open'),
        onSelect: () => {
          onClose();
          if (!here) void navigate(groupPath(id));
        },
      }}
      onClose={onClose}
    >
      {roomCode === null && (
        <>
          <p dir="auto" className="mb-4 line-clamp-2 text-14 font-semibold text-ui-start wrap-anywhere">
            {name}
          </p>
          <p className="rounded-card bg-sunken px-4 py-3 text-14 text-muted">{t('groups:share.noCode')}</p>
        </>
      )}
    </ShareDialog>
  );
}
