import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useSelf } from '../session/self.ts';
import { classNames } from '../ui/classNames.ts';
import { useFocusReturn } from '../ui/Dialog.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { useCloseOverlayOnBack } from '../ui/useCloseOverlayOnBack.ts';
import { findStatusPosition, listStatusPositions, type StatusPosition } from './model/sequence.ts';
import type { AuthorStatuses } from './model/statusGroups.ts';
import { StatusViewerFooter } from './StatusViewerFooter.tsx';
import { StatusViewerHeader } from './StatusViewerHeader.tsx';
import { StatusViewerContent } from './StatusViewerContent.tsx';
import { recordView } from './statusQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

export interface StatusViewerProps {
  authors: readonly AuthorStatuses[];
  begin: string;
  onClose: () => void;
}

/** Milliseconds, longer than a tap. */
const holdMs = 250;

/** Shows status updates over the whole window, one after another, person by person. */
export function StatusViewer({ authors, begin, onClose }: StatusViewerProps) {
  const { t } = useTexts(statusTexts);
  const { id: selfId } = useSelf();
  const queryClient = useQueryClient();
  const places = useMemo(() => listStatusPositions(authors), [authors]);
  const [id, setId] = useState(begin);
  const [paused, setPaused] = useState(false);
  /** True while a menu, a dialog, or the reply has the user's attention. */
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState(0);
  const before = useRef(places);
  const stage = useRef<HTMLDivElement>(null);
  const focusReturn = useFocusReturn(() => stage.current);
  useCloseOverlayOnBack(true, onClose);

  const place = findStatusPosition(places, id, before.current);
  useEffect(() => {
    before.current = places;
  }, [places]);
  useEffect(() => {
    if (place === undefined) onClose();
    else if (place.status.id !== id) setId(place.status.id);
  }, [place, id, onClose]);
  const shown = place?.status;
  useEffect(() => {
    setProgress(0);
    if (shown && shown.userId !== selfId && !shown.hasViewed) recordView(queryClient, shown.id);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- with each one once; that it was looked at changes with it
  }, [shown?.id]);

  const go = (step: 1 | -1): void => {
    const next = places[places.findIndex(({ status }) => status.id === id) + step];
    if (next) setId(next.status.id);
    else if (step === 1) onClose();
  };
  const hold = useHold({ onHold: setPaused, onTap: go });
  if (!place) return null;
  const { author, status, index } = place;
  const rtl = document.documentElement.dir === 'rtl';
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    // Text fields, and elements with their own keys.
    if (target.closest('input, textarea, [role=menu], [role=dialog] [role=dialog]')) return;
    if (event.key === 'ArrowLeft') go(rtl ? 1 : -1);
    else if (event.key === 'ArrowRight') go(rtl ? -1 : 1);
    else if (event.key === ' ' && target.closest('button') === null) setPaused(!paused);
    else return;
    event.preventDefault();
  };
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-[#0b0a09]" />
        <RadixDialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          className="fixed inset-0 z-40 mx-auto flex max-w-120 flex-col text-[#fff] outline-none [color-scheme:dark]"
        >
          <Segments count={author.statuses.length} index={index} progress={progress} />
          <StatusViewerHeader
            place={place}
            own={status.userId === selfId}
            paused={paused}
            onPaused={setPaused}
            onBusy={setBusy}
            close={
              <RadixDialog.Close
                aria-label={t('common.close')}
                className="inline-flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-[rgb(255_255_255/0.14)]"
              >
                <X aria-hidden="true" className="size-5" />
              </RadixDialog.Close>
            }
          />
          <div
            ref={stage}
            tabIndex={-1}
            role="group"
            aria-label={t('status:viewer.label')}
            {...hold}
            className="relative min-h-0 flex-1 touch-pan-y overflow-hidden outline-none select-none"
          >
            <StatusViewerContent
              key={status.id}
              status={status}
              name={author.author.displayName}
              paused={paused || busy}
              onProgress={setProgress}
              onEnd={() => go(1)}
            />
          </div>
          <StatusViewerFooter
            key={`foot ${status.id}`}
            status={status}
            author={author.author}
            own={status.userId === selfId}
            onBusy={setBusy}
          />
          <Turner
            side="start"
            label={t('status:viewer.previous')}
            icon={<ChevronLeft className="rtl:-scale-x-100" />}
            onTurn={() => go(-1)}
          />
          <Turner
            side="end"
            label={t('status:viewer.next')}
            icon={<ChevronRight className="rtl:-scale-x-100" />}
            onTurn={() => go(1)}
          />
          <Ahead places={places} id={status.id} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface TurnerProps {
  side: 'start' | 'end';
  label: string;
  icon: ReactNode;
  onTurn: () => void;
}

/** Button beside the column for mouse users. Touch users tap on the status update. */
function Turner({ side, label, icon, onTurn }: TurnerProps) {
  return (
    <span
      className={classNames(
        'absolute top-1/2 hidden -translate-y-1/2 sm:block',
        side === 'start' ? '-start-16' : '-end-16',
      )}
    >
      <PlainIconButton
        label={label}
        icon={icon}
        onClick={onTurn}
        className="size-12 rounded-full! bg-[rgb(255_255_255/0.12)] text-[#fff]! hover:bg-[rgb(255_255_255/0.24)]!"
      />
    </span>
  );
}

function Segments({ count, index, progress }: { count: number; index: number; progress: number }) {
  const { t } = useTexts(statusTexts);
  return (
    <div className="flex shrink-0 gap-1 px-3 pt-[max(env(safe-area-inset-top),0.5rem)]">
      <span role="status" className="sr-only">
        {t('status:viewer.position', { position: index + 1, total: count })}
      </span>
      {Array.from({ length: count }, (_, place) => (
        <span
          key={place}
          aria-hidden="true"
          className="h-0.75 flex-1 overflow-hidden rounded-full bg-[rgb(255_255_255/0.3)] forced-colors:bg-[GrayText]"
        >
          <span
            className="block h-full rounded-full bg-[#fff] forced-colors:bg-[Highlight]"
            style={{ width: `${place < index ? 100 : place === index ? progress * 100 : 0}%` }}
          />
        </span>
      ))}
    </div>
  );
}

function Ahead({ places, id }: { places: readonly StatusPosition[]; id: string }) {
  const next = places[places.findIndex(({ status }) => status.id === id) + 1]?.status;
  const picture = next && (next.mediaType === 'image' ? next.mediaUrl : next.previewUrl);
  return picture ? <link rel="preload" as="image" href={`${picture}?size=960`} /> : null;
}

/** Handles taps and holds: a tap goes forward or back, depending on its position, and holding pauses. */
function useHold({ onHold, onTap }: { onHold: (isHeldDown: boolean) => void; onTap: (step: 1 | -1) => void }) {
  const pressed = useRef<{ at: number; timer: ReturnType<typeof setTimeout> } | null>(null);
  const end = (): number | undefined => {
    const press = pressed.current;
    if (!press) return undefined;
    clearTimeout(press.timer);
    pressed.current = null;
    onHold(false);
    return performance.now() - press.at;
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || (event.target as HTMLElement).closest('button, video[controls]')) return;
      pressed.current = { at: performance.now(), timer: setTimeout(() => onHold(true), holdMs) };
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const pressMs = end();
      if (pressMs === undefined || pressMs >= holdMs) return;
      const { left, width } = event.currentTarget.getBoundingClientRect();
      const share = (event.clientX - left) / width;
      const isBack = document.documentElement.dir === 'rtl' ? share > 2 / 3 : share < 1 / 3;
      onTap(isBack ? -1 : 1);
    },
    onPointerCancel: () => void end(),
    onPointerLeave: () => void end(),
  };
}
