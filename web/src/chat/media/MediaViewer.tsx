import type { Conversation } from '@nolo/api';
import { ChevronLeft, ChevronRight, Download, MessageSquare, X, ZoomIn, ZoomOut } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { KeyboardEvent } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useChat } from '../context/chatContext.ts';
import { exactTime, useLocale } from '../../i18n/locale.ts';
import type { Timeline } from '../engine/timeline.ts';
import { classNames } from '../../ui/classNames.ts';
import { useFocusReturn } from '../../ui/Dialog.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { useOverlay } from '../../ui/useOverlay.ts';
import type { Entry } from '../engine/entries.ts';
import { joinEntries } from '../engine/entries.ts';
import { useNames } from '../words/useNames.ts';
import { clipMarks } from '../words/text/clipMarks.ts';
import { downloadAddress, mediaOf } from '../engine/shownMedia.ts';
import type { ShownMedia } from '../engine/shownMedia.ts';
import { useMediaWords } from './useMediaWords.ts';
import { viewerStore } from './viewerStore.ts';
import { ViewedPicture } from './ViewedPicture.tsx';
import { ViewedVideo } from './ViewedVideo.tsx';
import type { ZoomHandling } from './useZoom.ts';
import { zoomStep } from './zoom.ts';

export interface MediaViewerProps {
  conversation: Conversation;
  /** What is on the screen, and what is loaded besides: the pictures and videos of either are gone through. */
  timelines: readonly (Timeline | undefined)[];
  onJump: (seq: number) => void;
}

interface Viewed {
  entry: Entry;
  media: ShownMedia;
}

/** The pictures and videos of a run of messages, in their order. */
function viewedIn(timeline: Timeline | undefined, selfId: string): readonly Viewed[] {
  return joinEntries(timeline?.messages ?? [], timeline?.pending ?? [], selfId).flatMap((entry) => {
    const media = mediaOf(entry);
    return media?.kind === 'image' || media?.kind === 'video' ? [{ entry, media }] : [];
  });
}

const close = (): void => viewerStore.setState({ open: null });

/** A picture or a video over the whole window, with the way to the others of the conversation. */
export function MediaViewer({ conversation, timelines, onJump }: MediaViewerProps) {
  const { t } = useMediaWords();
  const { engine } = useChat();
  const { selfId } = engine.store.getState();
  const nameOf = useNames();
  const locale = useLocale();
  const key = useStore(viewerStore, ({ open }) => open?.key);
  const stage = useRef<HTMLDivElement>(null);
  const zoom = useRef<ZoomHandling>(null);
  const [zoomed, setZoomed] = useState(false);
  const focusReturn = useFocusReturn(() => stage.current);
  useOverlay(true, close);
  const [shown, loaded] = timelines;
  const all = useMemo(() => {
    const inShown = viewedIn(shown, selfId);
    return inShown.some(({ entry }) => entry.key === key) ? inShown : viewedIn(loaded, selfId);
  }, [shown, loaded, selfId, key]);
  const index = all.findIndex(({ entry }) => entry.key === key);
  const viewed = all[index];
  // The message was deleted, or disappeared, while it was looked at.
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
  const onKeyDown = (event: KeyboardEvent): void => {
    // A player's own keys are its own.
    if ((event.target as HTMLElement).closest('video')) return;
    const { key: pressed } = event;
    if (pressed === 'ArrowLeft') go(rtl ? 1 : -1);
    else if (pressed === 'ArrowRight') go(rtl ? -1 : 1);
    else if (pressed === 'Home') go(-index);
    else if (pressed === 'End') go(all.length - 1 - index);
    else if (pressed === '+' || pressed === '=') zoom.current?.by(zoomStep);
    else if (pressed === '-') zoom.current?.by(1 / zoomStep);
    else if (pressed === '0') zoom.current?.reset();
    else return;
    event.preventDefault();
  };
  const seq = entry.message?.seq;
  const caption = entry.message?.content ?? entry.pending?.content ?? '';
  const isPicture = media.kind === 'image';
  const buttons = 'size-11 text-[#fff]! hover:bg-[rgb(255_255_255/0.14)]!';
  const side =
    'absolute top-1/2 z-1 size-12 -translate-y-1/2 rounded-full bg-[rgb(0_0_0/0.45)] text-[#fff]! hover:bg-[rgb(0_0_0/0.65)]! disabled:hidden';
  return (
    <RadixDialog.Root open onOpenChange={close}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-[#0b0a09]" />
        <RadixDialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          className="fixed inset-0 z-40 flex flex-col text-[#fff] outline-none [color-scheme:dark]"
        >
          <header className="flex min-h-14 shrink-0 items-center gap-1 ps-4 pe-2 pt-[env(safe-area-inset-top)]">
            <div className="min-w-0 flex-1 py-1.5">
              <RadixDialog.Title dir="auto" className="truncate text-ui-start text-14 font-semibold">
                {clipMarks(nameOf(entry.senderId))}
              </RadixDialog.Title>
              <p className="tabular truncate text-12 text-[rgb(255_255_255/0.72)]">
                {all.length > 1 && (
                  <>
                    <span role="status">{t('media.viewer.position', { position: index + 1, total: all.length })}</span>
                    {' · '}
                  </>
                )}
                {exactTime(entry.at, locale)}
              </p>
            </div>
            {isPicture && (
              <span className="hidden sm:inline-flex">
                <PlainIconButton
                  label={t('media.viewer.zoomOut')}
                  icon={<ZoomOut />}
                  className={buttons}
                  disabled={!zoomed}
                  onClick={() => zoom.current?.by(1 / zoomStep)}
                />
                <PlainIconButton
                  label={t('media.viewer.zoomIn')}
                  icon={<ZoomIn />}
                  className={buttons}
                  onClick={() => zoom.current?.by(zoomStep)}
                />
              </span>
            )}
            {seq !== undefined && (
              <PlainIconButton
                label={t('media.viewer.showInChat')}
                icon={<MessageSquare />}
                className={buttons}
                onClick={() => {
                  close();
                  onJump(seq);
                }}
              />
            )}
            {media.url !== null && (
              <a
                href={downloadAddress(media.url, media.name)}
                download={media.name ?? ''}
                aria-label={t('media.download')}
                className={classNames('inline-flex items-center justify-center rounded-control', buttons)}
              >
                <Download aria-hidden="true" className="size-5" />
              </a>
            )}
            <RadixDialog.Close
              aria-label={t('common.close')}
              className={classNames('inline-flex items-center justify-center rounded-control', buttons)}
            >
              <X aria-hidden="true" className="size-5" />
            </RadixDialog.Close>
          </header>
          <div
            ref={stage}
            tabIndex={-1}
            role="group"
            aria-label={t('media.viewer.hint')}
            className="relative min-h-0 flex-1 overflow-hidden outline-none"
          >
            <PlainIconButton
              label={t('media.viewer.previous')}
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
                label={t('media.pictureFrom', { name: nameOf(entry.senderId) })}
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
                label={t('media.videoFrom', { name: nameOf(entry.senderId) })}
              />
            )}
            <PlainIconButton
              label={t('media.viewer.next')}
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
              {clipMarks(caption)}
            </p>
          )}
          <div className="h-[env(safe-area-inset-bottom)] shrink-0" />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
