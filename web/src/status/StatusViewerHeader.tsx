import { routes, type StatusAuthor } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, Flag, Pause, Play, Bell, BellOff, Share2, Trash2 } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../ui/DropdownMenu.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import type { StatusPosition } from './model/sequence.ts';
import { updateStatusesInCache } from './statusQueries.ts';
import { useStatusTimes } from './useStatusTimes.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

const ShareStatusDialog = lazyDialog(async () => (await import('./ShareStatusDialog.tsx')).ShareStatusDialog);

const ReportDialog = lazyDialog(async () => (await import('../chat/conversation/ReportDialog.tsx')).ReportDialog);

/** Reports contain a status update's text, and its picture if the user chooses so. */
const noMedia = { messageType: 'text', fileName: null, voiceMessageTranscription: null, deletedAt: null } as const;

export interface StatusViewerHeaderProps {
  place: StatusPosition;
  own: boolean;
  paused: boolean;
  onPaused: (paused: boolean) => void;
  /** Called with true while something over the viewer has the user's attention. */
  onBusy: (busy: boolean) => void;
  close: ReactNode;
}

const light = 'size-11 text-[#fff]! hover:bg-[rgb(255_255_255/0.14)]!';

/** Author, age, and remaining time of a status update, with its actions. */
export function StatusViewerHeader({ place, own, paused, onPaused, onBusy, close }: StatusViewerHeaderProps) {
  const { t } = useTexts(statusTexts);
  const times = useStatusTimes();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<'delete' | 'share' | 'report' | null>(null);
  const { author, statuses } = place.author;
  const { status } = place;
  const isMuted = statuses[0]?.isMuted === true;
  const { since, left } = times(status);
  const open = (next: 'delete' | 'share' | 'report' | null) => {
    setDialog(next);
    onBusy(next !== null);
  };
  const invalidates = [queryKeys.statuses];
  const remove = useAction(routes.removeStatus, {
    failure: t('status:viewer.deleteFailed'),
    invalidates,
    onDone: (_, { params }) => {
      updateStatusesInCache(queryClient, (one) => (one.id === params?.id ? undefined : one));
      toast({ kind: 'success', title: t('status:viewer.deleted') });
      open(null);
    },
  });
  const mute = useAction(
    ({ id, muted }: StatusAuthor & { muted: boolean }) =>
      call(muted ? routes.muteStatuses : routes.unmuteStatuses, { params: { userId: id } }),
    {
      failure: t('status:viewer.muteFailed'),
      invalidates,
      onDone: (_, { displayName: name, muted }) =>
        toast({ kind: 'success', title: t(muted ? 'status:viewer.muted' : 'status:viewer.unmuted', { name }) }),
    },
  );
  const toggleMuted = () => {
    const muted = !isMuted;
    updateStatusesInCache(queryClient, (one) => (one.userId === author.id ? { ...one, isMuted: muted } : one));
    void mute.run({ ...author, muted });
  };
  return (
    <header data-keep-clear className="flex min-h-14 shrink-0 items-center gap-0.5 ps-4 pe-2">
      {/* The narrowest phones need the space for the text. */}
      <Avatar name={author.displayName} imageUrl={author.profileImageUrl} size={40} className="max-[22rem]:hidden" />
      <div className="min-w-0 flex-1 px-2 py-1.5">
        <RadixDialog.Title dir="auto" className="truncate text-ui-start text-14 font-semibold">
          {own ? t('status:you') : author.displayName}
        </RadixDialog.Title>
        <p className="tabular truncate text-12 text-[rgb(255_255_255/0.78)]">
          {since}
          {' · '}
          {left}
        </p>
      </div>
      <PlainIconButton
        label={t(paused ? 'status:viewer.play' : 'status:viewer.pause')}
        icon={paused ? <Play /> : <Pause />}
        className={light}
        onClick={() => onPaused(!paused)}
      />
      <DropdownMenu
        onOpenChange={(isOpen) => {
          if (dialog === null) onBusy(isOpen);
        }}
        trigger={<PlainIconButton label={t('status:viewer.more')} icon={<EllipsisVertical />} className={light} />}
      >
        {own ? (
          <>
            <MenuItem icon={<Share2 aria-hidden="true" />} onSelect={() => open('share')}>
              {t('status:viewer.share')}
            </MenuItem>
            <MenuItem icon={<Trash2 aria-hidden="true" />} danger onSelect={() => open('delete')}>
              {t('status:viewer.delete')}
            </MenuItem>
          </>
        ) : (
          <>
            <MenuItem
              icon={isMuted ? <Bell aria-hidden="true" /> : <BellOff aria-hidden="true" />}
              onSelect={toggleMuted}
            >
              {t(isMuted ? 'status:viewer.unmute' : 'status:viewer.mute', { name: author.displayName })}
            </MenuItem>
            <MenuItem icon={<Flag aria-hidden="true" />} danger onSelect={() => open('report')}>
              {t('status:viewer.report')}
            </MenuItem>
          </>
        )}
      </DropdownMenu>
      {close}
      <ConfirmDialog
        open={dialog === 'delete'}
        onCancel={() => open(null)}
        title={t('status:viewer.deleteTitle')}
        text={t('status:viewer.deleteText')}
        confirmLabel={t('status:viewer.delete')}
        onConfirm={() => remove.run({ params: { id: status.id } })}
      />
      {dialog === 'report' && (
        <ReportDialog
          kind="status"
          targetId={status.id}
          reportedId={author.id}
          name={author.displayName}
          pictureUrl={status.mediaType === 'image' ? (status.mediaUrl ?? undefined) : undefined}
          isVideo={status.mediaType === 'video'}
          messages={[
            { ...noMedia, id: status.id, senderId: author.id, createdAt: status.createdAt, content: status.content },
          ]}
          onClose={() => open(null)}
        />
      )}
      {dialog === 'share' && <ShareStatusDialog status={status} onClose={() => open(null)} />}
    </header>
  );
}
