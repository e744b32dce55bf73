import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { Spinner } from '../../ui/Spinner.tsx';
import { classNames } from '../../ui/classNames.ts';
import type { ShownMedia } from '@nolo/client/chat/shownMedia';
import { useLocalMedia } from './useLocalMedia.ts';
import { useZoom, type ZoomHandling } from './useZoom.ts';
import { fitSize } from './zoom.ts';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

export interface ViewedPictureProps {
  ref: Ref<ZoomHandling>;
  media: ShownMedia;
  label: string;
  onZoomed: (zoomed: boolean) => void;
  onSwipe: (direction: 'left' | 'right' | 'down') => void;
}

/** Picture in the viewer. Shows the smaller version until the full one loads. */
export function ViewedPicture({ ref, media, label, onZoomed, onSwipe }: ViewedPictureProps) {
  const { t } = useTexts(mediaTexts);
  const local = useLocalMedia(media.key, media.url === null);
  const whole = local?.file ?? (media.url === null ? undefined : `${media.url}?full`);
  const smaller = local || media.url === null ? undefined : `${media.url}?size=960`;
  const room = useRef<HTMLDivElement>(null);
  const [space, setSpace] = useState({ width: 0, height: 0 });
  const [natural, setNatural] = useState({ width: media.info.width ?? 960, height: media.info.height ?? 960 });
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useLayoutEffect(() => {
    const element = room.current;
    if (!element) return undefined;
    const measure = () => setSpace({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const size = fitSize(natural, space);
  const handling = useZoom({ picture: size, onSwipe });
  useImperativeHandle(ref, () => handling);
  const { zoom, drag, dragging, handlers } = handling;
  const zoomed = zoom.scale > 1;
  useEffect(() => onZoomed(zoomed), [zoomed, onZoomed]);
  return (
    <div
      ref={room}
      {...handlers}
      className={classNames(
        'absolute inset-0 flex touch-none items-center justify-center overflow-hidden select-none',
        zoomed && (dragging ? 'cursor-grabbing' : 'cursor-grab'),
      )}
    >
      <div
        className={classNames('relative shrink-0', !dragging && 'transition-transform duration-150 ease-out')}
        style={{
          ...size,
          transform: `translate(${zoom.x + drag.x}px, ${zoom.y + drag.y}px) scale(${zoom.scale})`,
        }}
      >
        {state === 'loading' && smaller !== undefined && (
          <img src={smaller} alt="" draggable={false} className="absolute inset-0 size-full" />
        )}
        {state !== 'failed' && whole !== undefined && (
          <img
            src={whole}
            alt={label}
            draggable={false}
            onLoad={(event) => {
              const { naturalWidth: width, naturalHeight: height } = event.currentTarget;
              setNatural({ width, height });
              setState('ready');
            }}
            onError={() => setState('failed')}
            className="absolute inset-0 size-full"
          />
        )}
      </div>
      {state === 'loading' && (
        <span className="pointer-events-none absolute bottom-4">
          <Spinner className="size-6" />
        </span>
      )}
      {state === 'failed' && (
        <p role="alert" className="absolute px-6 text-center text-14">
          {t('media:viewer.failed')}
        </p>
      )}
    </div>
  );
}
