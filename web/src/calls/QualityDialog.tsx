import { useStore } from 'zustand';
import type { CallMedia } from './media/CallMedia.ts';
import type { QualitySample } from './model/callQuality.ts';
import { useLocale } from '../i18n/locale.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

const width = 160;
const height = 32;

/**
 * Returns the points of a line through all values, the newest at the right edge; `least` is the minimum height of the
 * scale.
 */
export function sparklinePoints(values: readonly number[], least: number): string {
  const max = Math.max(least, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, index) => {
      const x = values.length > 1 ? index * step : width;
      const y = height - 1 - (Math.max(0, value) / max) * (height - 2);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

function Sparkline({ values, least, label }: { values: readonly number[]; least: number; label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-8 min-w-0 flex-1 overflow-visible text-accent"
    >
      <line x1="0" y1={height - 1} x2={width} y2={height - 1} className="stroke-line" strokeWidth="1" />
      <polyline
        points={sparklinePoints(values, least)}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

const rows = ['loss', 'roundTrip', 'sending', 'receiving'] as const;

const values: Record<(typeof rows)[number], (sample: QualitySample) => number> = {
  loss: ({ loss }) => loss * 100,
  roundTrip: ({ roundTripMs }) => roundTripMs,
  sending: ({ sendBitrate }) => sendBitrate / 1_000,
  receiving: ({ receiveBitrate }) => receiveBitrate / 1_000,
};

export function QualityDialog({ media, onClose }: { media: CallMedia; onClose: () => void }) {
  const { t } = useTexts(callsTexts);
  const locale = useLocale();
  const samples = useStore(media.store, (state) => state.samples);
  const path = useStore(media.store, (state) => state.path);
  const formatValue = (row: (typeof rows)[number], value: number): string => {
    const digits = row === 'loss' ? 1 : 0;
    const number = value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    if (row === 'loss') return t('calls:percent', { value: number });
    return t(row === 'roundTrip' ? 'calls:milliseconds' : 'calls:kilobits', { value: number });
  };
  return (
    <Dialog open onOpenChange={onClose} title={t('calls:qualityTitle')} description={t('calls:qualityText')}>
      <p className="flex justify-between gap-4 pb-3 text-14">
        <span className="text-muted">{t('calls:path')}</span>
        <span className="text-end">{t(path === 'direct' ? 'calls:pathDirect' : 'calls:pathRoom')}</span>
      </p>
      {samples.length === 0 ? (
        <p className="text-14 text-muted">{t('calls:qualityNone')}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {rows.map((row) => {
            const series = samples.map(values[row]);
            const now = formatValue(row, series.at(-1) ?? 0);
            const label = t(`calls:${row}`);
            return (
              <li key={row} className="flex items-center gap-3 py-2.5">
                <span className="w-24 shrink-0 text-14 text-muted">{label}</span>
                <Sparkline
                  values={series}
                  // Minimum scale, so that a tenth of a percent does not look like a mountain.
                  least={row === 'loss' ? 5 : row === 'roundTrip' ? 100 : 50}
                  label={t('calls:graph', { label, now, peak: formatValue(row, Math.max(...series)) })}
                />
                <span className="tabular w-24 shrink-0 text-end text-14 font-medium">{now}</span>
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}
