import type { RouteReply, routes } from '@nolo/api';
import { useStore } from 'zustand';
import { useAccountStorage, useTranscriptionUsage } from '../../api/queries.ts';
import { useLocale } from '../../i18n/locale.ts';
import { featureStore } from '../../session/features.ts';
import { Card } from '../../ui/Card.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { sizeText } from '../../i18n/sizeText.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/** Usage, shown if no plans are sold. */
export function UsageCard() {
  const { t } = useTexts(profileTexts);
  return (
    <Card title={t('profile:usage')}>
      <UsageMeters />
    </Card>
  );
}

/** Meters of storage and transcription, as in the specification. */
export function UsageMeters() {
  const { t } = useTexts(profileTexts);
  const locale = useLocale();
  const transcribes = useStore(featureStore, (state) => state.features['transcription'] === true);
  const storage = useAccountStorage();
  const transcription = useTranscriptionUsage(transcribes);
  const queries = transcribes ? [storage, transcription] : [storage];
  const failed = queries.filter(({ data, isError }) => isError && data === undefined);

  const minutes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return failed.length > 0 ? (
    <ErrorState
      className="py-4!"
      title={t('profile:usageFailed')}
      retrying={failed.some(({ isFetching }) => isFetching)}
      onRetry={() => void Promise.all(failed.map(({ refetch }) => refetch()))}
    />
  ) : (
    <div className="flex flex-col gap-5" aria-busy={queries.some(({ data }) => data === undefined)}>
      <StorageMeter storage={storage.data} />
      {transcribes &&
        (transcription.data === undefined ? (
          <MeterSkeleton label={t('profile:transcriptionUsage')} />
        ) : (
          <Meter
            label={t('profile:transcriptionUsage')}
            text={
              transcription.data.limitSeconds === null
                ? t('profile:transcribed', { count: Math.round(transcription.data.usedSeconds / 60) })
                : t('profile:transcriptionUsed', {
                    used: minutes.format(transcription.data.usedSeconds / 60),
                    count: transcription.data.limitSeconds / 60,
                  })
            }
            used={transcription.data.usedSeconds}
            limit={transcription.data.limitSeconds}
          />
        ))}
    </div>
  );
}

/** Meter of the user's stored files and their limit. */
function StorageMeter({ storage }: { storage: RouteReply<typeof routes.getStorage> | undefined }) {
  const { t } = useTexts(profileTexts);
  const locale = useLocale();
  const size = (bytes: number) => sizeText(bytes, locale, 1_024);
  if (storage === undefined) return <MeterSkeleton label={t('profile:storage')} hint={t('profile:storageHint')} />;
  return (
    <Meter
      label={t('profile:storage')}
      text={
        storage.limit === null
          ? size(storage.used)
          : t('profile:storageUsed', { used: size(storage.used), limit: size(storage.limit) })
      }
      hint={t('profile:storageHint')}
      {...storage}
    />
  );
}

/** Storage of the user's files on the server, next to that of this device. */
export function AccountStorageCard() {
  const { t } = useTexts(profileTexts);
  const query = useAccountStorage();
  return (
    <Card title={t('profile:inAccount')}>
      {query.data === undefined ? (
        <QueryPlaceholder query={query} failed={t('profile:usageFailed')}>
          <StorageMeter storage={undefined} />
        </QueryPlaceholder>
      ) : (
        <StorageMeter storage={query.data} />
      )}
    </Card>
  );
}

/** Known labels, with placeholders for the values. */
function MeterSkeleton({ label, hint }: { label: string; hint?: string }) {
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <p className="text-14 font-medium">{label}</p>
        <Skeleton className="h-3 w-28" />
      </div>
      <Skeleton className="mt-2 h-2 rounded-full" />
      {hint !== undefined && <p className="mt-1.5 text-13 text-muted">{hint}</p>}
    </div>
  );
}
