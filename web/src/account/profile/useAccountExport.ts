import { routes, type AccountExport } from '@nolo/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { downloadUrl } from '../../device/saveFile.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { ProofDeclined, withProof } from '../../api/proof.ts';

const queryKey = queryKeys.accountExport;
/** Polling interval while the user looks at the progress. */
const pollIntervalMs = 1_500;

interface AccountExportControls {
  /** Archive state; undefined until the server answers. */
  archive: AccountExport | undefined;
  /** Reason why it is unknown. */
  failure: Error | null;
  busy: boolean;
  start: () => void;
  cancel: () => void;
  download: () => void;
  retry: () => void;
}

/**
 * Throws if the archive may not be read. Browsers do not show why a download is refused, so this reads one byte first.
 */
async function tryArchive(): Promise<void> {
  const reply = await request(routes.readExport.path, { method: 'GET', headers: { Range: 'bytes=0-0' } });
  await reply.arrayBuffer();
}

export function useAccountExport(): AccountExportControls {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(routes.getExport, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollIntervalMs : false),
  });

  const run = async (action: () => Promise<AccountExport | undefined>, failed: string) => {
    setBusy(true);
    try {
      await queries.cancelQueries({ queryKey });
      const updatedExport = await action();
      if (updatedExport) queries.setQueryData(queryKey, updatedExport);
      else await refetch();
    } catch (caught) {
      if (!(caught instanceof ProofDeclined)) {
        showFailure({ title: failed, description: explainFailure(i18n, caught) });
      }
    }
    setBusy(false);
  };

  return {
    archive: data,
    failure: error,
    busy,
    start: () => {
      const language = i18n.language.startsWith('de') ? 'de' : 'en';
      void run(
        () => withProof(() => call(routes.startExport, { body: { language } })),
        t('profile.archive.startFailed'),
      );
    },
    cancel: () => void run(() => call(routes.cancelExport), t('profile.archive.cancelFailed')),
    download: () =>
      void run(async () => {
        await withProof(tryArchive);
        downloadUrl(routes.readExport.path, 'nolo-export.zip');
        return undefined;
      }, t('profile.archive.downloadFailed')),
    retry: () => void refetch(),
  };
}
