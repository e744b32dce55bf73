import type { Conversation } from '@nolo/api';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useChat } from '../context/chatContext.ts';
import type { Timeline, MessageListEntry } from '@nolo/client/chat/timeline';
import { classNames } from '../../ui/classNames.ts';
import { useFocusReturn } from '../../ui/Dialog.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { useCloseOverlayOnBack } from '../../ui/useCloseOverlayOnBack.ts';
import { joinMessageListEntries } from '@nolo/client/chat/entries';
import { useDisplayNameOf } from '../words/useDisplayNameOf.ts';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { mediaOf, type ShownMedia } from '@nolo/client/chat/shownMedia';
import { viewerStore } from './viewerStore.ts';
import { ViewedPicture } from './ViewedPicture.tsx';
import type { ZoomHandling } from './useZoom.ts';
import { zoomStep } from './zoom.ts';
import { ViewerHeader } from './ViewerHeader.tsx';
import { getVoicePlayer } from './player.ts';
import { useLocalMedia } from './useLocalMedia.ts';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

export interface MediaViewerProps {
  conversation: Conversation;
  /** Visible messages and other loaded ones. The viewer goes through the pictures and videos of both. */
  timelines: readonly (Timeline | undefined)[];
  onJump: (seq: number) => void;
}

interface Viewed {
  entry: MessageListEntry;
  media: ShownMedia;
}

/** Returns the pictures and videos among messages, in order. */
function viewedIn(timeline: Timeline | undefined, selfId: string): readonly Viewed[] {
  return joinMessageListEntries(timeline?.messages ?? [], timeline?.pending ?? [], selfId).flatMap((entry) => {
    const media = mediaOf(entry);
    return media?.kind === 'image' || media?.kind === 'video' ? [{ entry, media }] : [];
  });
}

const close = (): void => viewerStore.setState({ open: null });

/** Handles keys of the whole window: arrows for the neighbors, and zoom keys. */
function onViewerKey(
  event: KeyboardEvent,
  {
    go,
    index,
    last,
    rtl,
    zoom,
  }: { go: (step: number) => void; index: number; last: number; rtl: boolean; zoom: ZoomHandling | null },
): void {
  // The video player handles its own keys.
  if ((event.target as HTMLElement).closest('video')) return;
  const { key: pressed } = event;
  if (pressed === 'ArrowLeft') go(rtl ? 1 : -1);
  else if (pressed === 'ArrowRight') go(rtl ? -1 : 1);
  else if (pressed === 'Home') go(-index);
  else if (pressed === 'End') go(last - index);
  else if (pressed === '+' || pressed === '=') zoom?.by(zoomStep);
  else if (pressed === '-') zoom?.by(1 / zoomStep);
  else if (pressed === '0') zoom?.reset();
  else return;
  event.preventDefault();
}

/** Shows a picture or video over the whole window, with navigation to the others of the conversation. */
export function MediaViewer({ conversation, timelines, onJump }: MediaViewerProps) {
  const { t } = useTexts(mediaTexts);
  const { engine } = useChat();
  const { selfId } = engine.store.getState();
  const nameOf = useDisplayNameOf();
  const key = useStore(viewerStore, ({ open }) => open?.key);
  const stage = useRef<HTMLDivElement>(null);
  const zoom = useRef<ZoomHandling>(null);
  const [zoomed, setZoomed] = useState(false);
  const focusReturn = useFocusReturn(() => stage.current);
  useCloseOverlayOnBack(true, close);
  const [shown, loaded] = timelines;
  const all = useMemo(() => {
    const inShown = viewedIn(shown, selfId);
    return inShown.some(({ entry }) => entry.key === key) ? inShown : viewedIn(loaded, selfId);
  }, [shown, loaded, selfId, key]);
  const index = all.findIndex(({ entry }) => entry.key === key);
  const viewed = all[index];
  // The message was deleted or expired while open.
  const gone = viewed === undefined;
  useEffect(() => {
    if (gone) close();
  }, [gone]);
  if (!viewed) return null;
  const { entry, media } = viewed;
  const go = (step: number): void => {
    const next = all[index + step];
    if (next) viewerStore.setState({ open: { conversationId: conversation.id, key: next.entry.key } });
  };
  const rtl = document.documentElement.dir === 'rtl';
  const caption = entry.message?.content ?? entry.pending?.content ?? '';
  const isPicture = media.kind === 'image';
  const side =
    'absolute top-1/2 z-1 size-12 -translate-y-1/2 rounded-full bg-[rgb(0_0_0/0.45)] text-[#fff]! hover:bg-[rgb(0_0_0/0.65)]! disabled:hidden';
  return (
    <RadixDialog.Root open onOpenChange={close}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-[#0b0a09]" />
        <RadixDialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          onKeyDown={(event) => onViewerKey(event, { go, index, last: all.length - 1, rtl, zoom: zoom.current })}
          className="fixed inset-0 z-40 flex flex-col text-[#fff] outline-none [color-scheme:dark]"
        >
          <ViewerHeader
            entry={entry}
            media={media}
            position={{ index, total: all.length }}
            zoom={zoom}
            zoomed={zoomed}
            onClose={close}
            onJump={onJump}
          />
          <div
            ref={stage}
            tabIndex={-1}
            role="group"
            aria-label={t('media:viewer.hint')}
            className="relative min-h-0 flex-1 overflow-hidden outline-none"
          >
            <PlainIconButton
              label={t('media:viewer.previous')}
              icon={<ChevronLeft className="rtl:-scale-x-100" />}
              className={classNames(side, 'start-3')}
              disabled={index === 0}
              onClick={() => go(-1)}
            />
            {isPicture ? (
              <ViewedPicture
                key={entry.key}
                ref={zoom}
                media={media}
                label={t('media:pictureFrom', { name: nameOf(entry.senderId) })}
                onZoomed={setZoomed}
                onSwipe={(direction) => {
                  if (direction === 'down') return close();
                  return go((direction === 'left') === rtl ? -1 : 1);
                }}
              />
            ) : (
              <ViewedVideo
                key={entry.key}
                media={media}
                label={t('media:videoFrom', { name: nameOf(entry.senderId) })}
              />
            )}
            <PlainIconButton
              label={t('media:viewer.next')}
              icon={<ChevronRight className="rtl:-scale-x-100" />}
              className={classNames(side, 'end-3')}
              disabled={index === all.length - 1}
              onClick={() => go(1)}
            />
          </div>
          {caption !== '' && (
            <p
              dir="auto"
              className="max-h-28 shrink-0 overflow-y-auto px-5 py-3 text-center text-15 wrap-anywhere whitespace-pre-wrap"
            >
              {clipCombiningMarks(caption)}
            </p>
          )}
          <div className="h-[env(safe-area-inset-bottom)] shrink-0" />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Video in the browser's own player. */
function ViewedVideo({ media, label }: { media: ShownMedia; label: string }) {
  const { t } = useTexts(mediaTexts);
  const local = useLocalMedia(media.key, media.url === null);
  const [failed, setFailed] = useState(false);
  const source = local?.file ?? (media.url === null ? undefined : `${media.url}?full`);
  const poster = local?.poster ?? (media.previewUrl === null ? undefined : `${media.previewUrl}?size=960`);
  useEffect(() => getVoicePlayer().pause(), []);
  if (failed || source === undefined) {
    return (
      <p role="alert" className="absolute inset-0 flex items-center justify-center px-6 text-center text-14">
        {t('media:viewer.failed')}
      </p>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- people's own videos have none
    <video
      src={source}
      {...(poster !== undefined && { poster })}
      controls
      autoPlay
      playsInline
      aria-label={label}
      onError={() => setFailed(true)}
      className="absolute inset-0 size-full object-contain outline-offset-[-3px]"
    />
  );
}
