import type { StatusUpdate } from '@nolo/api';
import { Eye, RotateCw, X, Play } from 'lucide-react';
import { toReadableStatusBackground } from '@nolo/rules';
import { useState } from 'react';
import { useSelf } from '../session/self.ts';
import { Button } from '../ui/Button.tsx';
import type { OutgoingStatus } from './model/statusDelivery.ts';
import { useLocalUrl } from './useLocalUrl.ts';
import { useStatusTimes } from './useStatusTimes.ts';
import { useOpenStatusOutbox } from './useOpenStatusOutbox.ts';
import { classNames } from '../ui/classNames.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

export interface OwnStatusesProps {
  statuses: readonly StatusUpdate[];
  outgoing: readonly OutgoingStatus[];
  onOpen: (statusId: string) => void;
}

const tile = 'relative block aspect-3/4 w-full overflow-hidden rounded-card';

export function OwnStatuses({ statuses, outgoing, onOpen }: OwnStatusesProps) {
  const { t } = useTexts(statusTexts);
  const { shareReceipts } = useSelf();
  const times = useStatusTimes();
  // Includes the text that is read on it.
  const nameOf = ({ mediaType, content }: StatusUpdate, place: number): string => {
    const title = t('status:openOwn', { position: place + 1, total: statuses.length });
    return mediaType === 'text' ? t('common.titled', { title, text: content }) : title;
  };
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-3">
      {statuses.map((status, place) => (
        <li key={status.id} data-status={status.id}>
          <button
            type="button"
            aria-label={nameOf(status, place)}
            onClick={() => onOpen(status.id)}
            className={`${tile} outline-offset-2`}
          >
            <StatusThumbnail status={status} label="" className="size-full" />
          </button>
          <p className="tabular mt-1.5 flex flex-wrap items-center gap-x-1.5 text-12 text-muted">
            {shareReceipts && (
              <span className="inline-flex items-center gap-1">
                <Eye aria-hidden="true" className="size-3.5" />
                <span aria-hidden="true">{status.viewCount}</span>
                <span className="sr-only">{t('status:views', { count: status.viewCount })}</span>
              </span>
            )}
            <span>{times(status).left}</span>
          </p>
        </li>
      ))}
      {outgoing.map((one) => (
        <Outgoing key={one.status.id} outgoing={one} />
      ))}
    </ul>
  );
}

function Outgoing({ outgoing: { status, state, progress } }: { outgoing: OutgoingStatus }) {
  const { t } = useTexts(statusTexts);
  const statuses = useOpenStatusOutbox();
  const { id, body, files } = status;
  const picture = useLocalUrl(files && (files.poster ?? (body.mediaType === 'image' ? files.file : undefined)));
  const act = (what: 'retry' | 'discard') => void statuses().then((outbox) => outbox[what](id));
  return (
    <li data-unsent={state}>
      <span className={`${tile} opacity-70`}>
        {body.mediaType === 'image' || body.mediaType === 'video' ? (
          <span className="block size-full bg-sunken">
            {picture !== undefined && <img src={picture} alt="" className="size-full object-cover" />}
          </span>
        ) : (
          <StatusThumbnail
            label=""
            className="size-full"
            status={{
              mediaType: 'text',
              content: body.content ?? '',
              backgroundColor: body.backgroundColor ?? '#1DB584',
              textColor: body.textColor ?? '#FFFFFF',
              font: body.font ?? 'Arial',
              mediaUrl: null,
              previewUrl: null,
            }}
          />
        )}
        {progress !== null && state === 'sending' && (
          <span
            role="progressbar"
            aria-label={t('status:unsent.sending')}
            aria-valuenow={Math.round(progress * 100)}
            aria-valuemin={0}
            aria-valuemax={100}
            className="absolute inset-x-2 bottom-2 h-1.5 overflow-hidden rounded-full bg-[rgb(0_0_0/0.45)]"
          >
            <span className="block h-full bg-[#fff]" style={{ width: `${progress * 100}%` }} />
          </span>
        )}
      </span>
      <p role="status" className="mt-1.5 text-12 text-muted">
        {t(`status:unsent.${state}`)}
      </p>
      <span className="mt-1 flex flex-wrap gap-1">
        {state === 'failed' && (
          <Button kind="secondary" size="small" icon={<RotateCw aria-hidden="true" />} onClick={() => act('retry')}>
            {t('status:unsent.retry')}
          </Button>
        )}
        <Button kind="quiet" size="small" icon={<X aria-hidden="true" />} onClick={() => act('discard')}>
          {t(state === 'failed' ? 'status:unsent.discard' : 'status:unsent.cancel')}
        </Button>
      </span>
    </li>
  );
}

type ShownStatus = Pick<
  StatusUpdate,
  'mediaType' | 'content' | 'backgroundColor' | 'textColor' | 'font' | 'mediaUrl' | 'previewUrl'
>;

interface StatusThumbnailProps {
  status: ShownStatus;
  /** Description for people who cannot see it. Empty if it is already beside the picture. */
  label: string;
  className?: string;
}

/** Status update as a small picture. A text is shown in its colors. */
function StatusThumbnail({ status, label, className }: StatusThumbnailProps) {
  const { mediaType, content, backgroundColor, textColor, font, mediaUrl, previewUrl } = status;
  const [failed, setFailed] = useState(false);
  const picture = mediaType === 'image' ? mediaUrl : previewUrl;
  if (mediaType === 'text') {
    return (
      <span
        dir="auto"
        className={classNames(
          'flex items-center justify-center overflow-hidden rounded-[inherit] p-2 text-center text-12 leading-snug font-medium wrap-anywhere forced-colors:border',
          className,
        )}
        style={{
          backgroundColor: toReadableStatusBackground(backgroundColor, textColor),
          color: textColor,
          fontFamily: font,
        }}
      >
        <span className="line-clamp-6">{content}</span>
      </span>
    );
  }
  return (
    <span className={classNames('relative block overflow-hidden bg-sunken', className)}>
      {picture !== null && !failed && (
        <img
          src={`${picture}?size=320`}
          alt={label}
          draggable={false}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
          className="size-full object-cover"
        />
      )}
      {mediaType === 'video' && (
        <span className="absolute inset-0 flex items-center justify-center">
          <Play
            aria-hidden="true"
            className="size-6 rounded-full bg-[rgb(0_0_0/0.55)] p-1 text-[#fff]"
            fill="currentColor"
          />
        </span>
      )}
    </span>
  );
}
