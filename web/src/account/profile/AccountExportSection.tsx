import { routes, type AccountExport } from '@nolo/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { downloadUrl } from '../../device/saveFile.ts';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { useLocale } from '../../i18n/locale.ts';
import { sizeText } from '../../i18n/sizeText.ts';
import { Button } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

const queryKey = queryKeys.accountExport;
/** Polling interval while the user looks at the progress. */
const pollIntervalMs = 1_500;

/**
 * Throws if the archive may not be read. Browsers do not show why a download is refused, so this reads one byte first.
 */
async function tryArchive(): Promise<void> {
  const reply = await request(routes.readExport.path, { method: 'GET', headers: { Range: 'bytes=0-0' } });
  await reply.arrayBuffer();
}

function useAccountExport() {
  const { t, i18n } = useTexts(profileTexts);
  const explain = useExplainFailure();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(routes.getExport, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollIntervalMs : false),
  });
  const keep = async (change: Promise<AccountExport | undefined>) => {
    const archive = await change;
    if (archive) queries.setQueryData(queryKey, archive);
    else await refetch();
  };
  const { run, running } = useAction(
    async (action: 'start' | 'cancel' | 'download') => {
      await queries.cancelQueries({ queryKey });
      const language = i18n.language.startsWith('de') ? 'de' : 'en';
      if (action === 'start') return keep(call(routes.startExport, { body: { language } }));
      if (action === 'cancel') return keep(call(routes.cancelExport));
      await tryArchive();
      downloadUrl(routes.readExport.path, 'nolo-export.zip');
      return refetch();
    },
    {
      failure: (caught, action) => ({ title: t(`profile:archive.${action}Failed`), description: explain(caught) }),
    },
  );
  return {
    /** Undefined until the server answers. */
    archive: data,
    failure: error,
    busy: running !== undefined,
    run,
    retry: () => void refetch(),
  };
}

/** Account archive: request, progress, and download for a day. */
export function AccountExportSection() {
  const { t } = useTexts(profileTexts);
  const formatFailure = useExplainFailure();
  const { archive, failure, busy, run, retry } = useAccountExport();
  if (archive === undefined) {
    return failure ? (
      <ExportStatusRow text={formatFailure(failure)}>
        <Button kind="secondary" size="small" onClick={retry}>
          {t('common.retry')}
        </Button>
      </ExportStatusRow>
    ) : (
      <Skeleton className="h-10" />
    );
  }
  const begin = (label: string, kind: 'secondary' | 'quiet' = 'secondary') => (
    <Button kind={kind} size="small" busy={busy} onClick={() => void run('start')}>
      {label}
    </Button>
  );
  const { state } = archive;
  if (state === 'running') return <Running archive={archive} busy={busy} onCancel={() => void run('cancel')} />;
  if (state === 'ready') {
    return (
      <Ready archive={archive}>
        <Button
          kind="primary"
          size="small"
          icon={<Download aria-hidden="true" />}
          busy={busy}
          onClick={() => void run('download')}
        >
          {t('profile:archive.download')}
        </Button>
        {begin(t('profile:archive.again'), 'quiet')}
      </Ready>
    );
  }
  return state === 'failed' ? (
    <ExportStatusRow text={t('profile:archive.failed')} alarming>
      {begin(t('common.retry'))}
    </ExportStatusRow>
  ) : (
    <ExportStatusRow text={t('profile:archive.text')}>{begin(t('profile:export'))}</ExportStatusRow>
  );
}

interface ExportStatusRowProps {
  text: string;
  alarming?: boolean;
  children: ReactNode;
}

function ExportStatusRow({ text, alarming = false, children }: ExportStatusRowProps) {
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className={`min-w-48 flex-1 text-13 ${alarming ? 'text-danger-text' : 'text-muted'}`}>{text}</p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}

function Running({ archive, busy, onCancel }: { archive: AccountExport; busy: boolean; onCancel: () => void }) {
  const { t } = useTexts(profileTexts);
  const locale = useLocale();
  const { step, percent } = archive;
  const share = new Intl.NumberFormat(locale, { style: 'percent' }).format(percent / 100);
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-48 flex-1">
          <p className="text-14 font-medium">{t('profile:archive.running')}</p>
          <p className="tabular text-13 text-muted">
            {t(`profile:archive.steps.${step ?? 'account'}`)} · {share}
          </p>
        </div>
        <Button kind="secondary" size="small" busy={busy} onClick={onCancel}>
          {t('common.cancel')}
        </Button>
      </div>
      <div
        role="progressbar"
        aria-label={t('profile:archive.running')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="mt-2 h-2 overflow-hidden rounded-full bg-sunken forced-colors:border"
      >
        <div
          className="h-full min-w-2 rounded-full bg-accent forced-colors:bg-[Highlight]"
          style={{ width: `${percent}%` }}
        />
      </div>
      <p className="mt-1.5 text-13 text-muted">{t('profile:archive.leave')}</p>
    </div>
  );
}

function Ready({ archive, children }: { archive: AccountExport; children: ReactNode }) {
  const { t } = useTexts(profileTexts);
  const locale = useLocale();
  const { expiresAt, size } = archive;
  const until = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-48 flex-1">
        <p className="text-14 font-medium">{t('profile:archive.ready')}</p>
        <p className="tabular text-13 text-muted">
          {t('profile:archive.until', {
            size: sizeText(size ?? 0, locale),
            time: expiresAt === null ? '' : until.format(new Date(expiresAt)),
          })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}
