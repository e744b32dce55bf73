import type { SocialPlatformState } from '@nolo/api';
import { socialTextCounters } from '@nolo/rules';
import { useState } from 'react';
import { classNames } from '../ui/classNames.ts';
import { TextArea } from '../ui/TextArea.tsx';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { DateTimeFields, NowOrLater } from '../shell/DateTimeFields.tsx';
import type { ComposeForm, ComposedMedia } from './model/composeForm.ts';
import { PlatformIcon } from './PlatformIcon.tsx';
import { resolveWallTime } from './model/resolveWallTime.ts';
import { findCutSides, foldPreviewText, previewLayouts, type PreviewLayout } from './model/previews.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

function ClockChangeHint({
  form: { date, time, timeZone },
}: {
  form: Pick<ComposeForm, 'date' | 'time' | 'timeZone'>;
}) {
  const { t } = useTexts(socialTexts);
  const locale = useLocale();
  const chosen = date === '' || time === '' ? null : resolveWallTime(`${date}T${time}`, timeZone);
  if (!chosen || chosen.shift === 'none') return null;
  const goesOut = getDateFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone }).format(chosen.at);
  return (
    <p role="status" className="mt-1.5 text-13 text-warning-text">
      {t(`social:${chosen.shift}`, { time: goesOut })}
    </p>
  );
}

interface ComposeFieldProps {
  form: ComposeForm;
  onChange: (patch: Partial<ComposeForm>) => void;
}

/** Remaining characters on each chosen platform, each of which may have its own text. */
export function PlatformTexts({
  form,
  platforms,
  onChange,
}: ComposeFieldProps & { platforms: readonly SocialPlatformState[] }) {
  const { t } = useTexts(socialTexts);
  const set = (id: SocialPlatformState['id'], text: string | undefined) => {
    const { [id]: _, ...others } = form.texts;
    onChange({ texts: text === undefined ? others : { ...others, [id]: text } });
  };
  return platforms.map((platform) => {
    const { id, name, limits } = platform;
    const own = form.texts[id];
    const shown = own ?? form.content;
    const used = socialTextCounters[id](shown);
    return (
      <section
        key={id}
        aria-label={t('social:compose.previewOf', { platform: name })}
        className="flex flex-col gap-2 rounded-card border border-line p-3"
      >
        <header className="flex items-center gap-2">
          <PlatformIcon platform={id} size="small" />
          <span className="min-w-0 flex-1 truncate text-14 font-medium">{name}</span>
          <span
            className={classNames(
              'tabular text-13',
              used > limits.text ? 'font-semibold text-danger-text' : 'text-muted',
            )}
          >
            <span aria-hidden="true">{t('social:compose.count', { used, limit: limits.text })}</span>
            <span className="sr-only">{t('social:compose.countOf', { platform: name, used, limit: limits.text })}</span>
          </span>
        </header>
        <label className="flex min-h-8 items-center gap-2 text-13">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={own !== undefined}
            onChange={(event) => set(id, event.target.checked ? form.content : undefined)}
          />
          {t('social:compose.own', { platform: name })}
        </label>
        {own !== undefined && (
          <TextArea
            hideLabel
            dir="auto"
            label={t('social:compose.ownOf', { platform: name })}
            value={own}
            onChange={(event) => set(id, event.target.value)}
          />
        )}
        {(shown !== '' || form.media.length > 0) && (
          <PlatformPreview platform={platform} text={shown} media={form.media} />
        )}
      </section>
    );
  });
}

/** Time of publication: immediately, or at a date and time in a named time zone. */
export function PostTimeFields({ form, mayBeNow, onChange }: ComposeFieldProps & { mayBeNow: boolean }) {
  const { t } = useTexts(socialTexts);
  return (
    <div className="flex flex-col gap-3">
      {mayBeNow && (
        <NowOrLater
          words={{
            label: t('social:compose.when'),
            now: t('social:compose.now'),
            later: t('social:compose.later'),
          }}
          later={form.later}
          onChange={(later) => onChange({ later })}
        />
      )}
      {form.later && (
        <div>
          <DateTimeFields
            words={{ date: t('social:compose.date'), time: t('social:compose.time') }}
            date={form.date}
            time={form.time}
            onChange={onChange}
          />
          <ClockChangeHint form={form} />
          <p className="mt-1.5 text-13 text-muted">{t('social:zone', { zone: form.timeZone.replaceAll('_', ' ') })}</p>
        </div>
      )}
    </div>
  );
}

const isVideo = ({ type }: ComposedMedia): boolean => type.startsWith('video/');
const maxTiles = 4;

interface PlatformPreviewProps {
  platform: SocialPlatformState;
  text: string;
  media: readonly ComposedMedia[];
}

/** Approximate look of a post on a platform: its author, how much is visible, and how its pictures appear. */
function PlatformPreview({ platform: { id, name, accounts }, text, media }: PlatformPreviewProps) {
  const { t } = useTexts(socialTexts);
  const layout = previewLayouts[id];
  const account = (accounts.find(({ chosen }) => chosen) ?? accounts[0])?.name ?? name;
  const { shown, hidden } = foldPreviewText(text, layout.fold);
  const words = shown !== '' && (
    <p dir="auto" className="text-14 break-words whitespace-pre-line">
      {shown}
      {hidden && <span className="text-muted">… {t('social:compose.seeMore')}</span>}
    </p>
  );
  const pictures = media.length > 0 && (layout.carousel ? <Carousel media={media} /> : <Tiles media={media} />);
  return (
    <div className="flex flex-col gap-2 rounded-control bg-panel p-3">
      <div className="flex items-center gap-2">
        <span
          aria-hidden="true"
          className={classNames(
            'flex size-8 shrink-0 items-center justify-center bg-sunken text-13 font-semibold text-muted uppercase',
            layout.squareAvatar ? 'rounded-[6px]' : 'rounded-full',
          )}
        >
          {account.replace('@', '').charAt(0)}
        </span>
        <bdi className="min-w-0 flex-1 truncate text-13 font-semibold">{account}</bdi>
      </div>
      {layout.mediaFirst ? (
        <>
          {pictures}
          {words}
        </>
      ) : (
        <>
          {words}
          {pictures}
        </>
      )}
      <CutHints name={name} media={media} layout={layout} />
    </div>
  );
}

function Shown({ one, className }: { one: ComposedMedia; className: string }) {
  return isVideo(one) ? (
    <video src={one.url} muted preload="metadata" className={className} />
  ) : (
    <img src={one.url} alt={one.altText} className={className} />
  );
}

/** Pictures side by side, as many as fit. */
function Tiles({ media }: { media: readonly ComposedMedia[] }) {
  const shown = media.slice(0, maxTiles);
  const more = media.length - shown.length;
  return (
    <div
      className={classNames(
        'grid gap-0.5 overflow-hidden rounded-control',
        shown.length === 1 ? 'max-h-64' : 'h-56 grid-cols-2',
        shown.length > 2 && 'grid-rows-2',
      )}
    >
      {shown.map((one, index) => (
        <div
          key={one.url}
          className={classNames('relative min-h-0', shown.length === 3 && index === 0 && 'row-span-2')}
        >
          <Shown one={one} className="size-full bg-sunken object-cover" />
          {more > 0 && index === maxTiles - 1 && (
            <span className="absolute inset-0 flex items-center justify-center bg-ink/70 text-20 font-semibold text-page">
              +{more}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

/** First picture, and the number of pictures to page through. */
function Carousel({ media }: { media: readonly ComposedMedia[] }) {
  const [first] = media;
  if (!first) return null;
  return (
    <div className="relative">
      <Shown one={first} className="max-h-72 w-full rounded-control bg-sunken object-cover" />
      {media.length > 1 && (
        <span className="tabular absolute end-2 top-2 rounded-full bg-ink px-2 py-0.5 text-12 text-page">
          1/{media.length}
        </span>
      )}
    </div>
  );
}

/** Shows which sides of cropped pictures are cut off. */
function CutHints({ name, media, layout }: { name: string; media: readonly ComposedMedia[]; layout: PreviewLayout }) {
  const { t } = useTexts(socialTexts);
  const [sizes, setSizes] = useState<Readonly<Record<string, readonly [number, number]>>>({});
  if (!layout.whole) return null;
  return media
    .filter((one) => !isVideo(one))
    .map((one) => {
      const [width, height] = sizes[one.url] ?? [0, 0];
      const cut = findCutSides(width, height, layout);
      return (
        <div key={one.url} className="contents">
          <img
            src={one.url}
            alt=""
            hidden
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSizes((known) => ({ ...known, [one.url]: [naturalWidth, naturalHeight] }))
            }
          />
          {cut !== 'none' && (
            <p role="status" className="text-13 text-warning-text">
              {t(`social:compose.cut.${cut}`, { name: one.name, platform: name })}
            </p>
          )}
        </div>
      );
    });
}
