import type { BillingAuditRecord } from '@nolo/api';
import { routes } from '@nolo/api';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { ProofDeclined, withProof } from '../../api/proof.ts';
import { callPage } from '../../api/httpClient.ts';
import { saveFile } from '../../device/saveFile.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { Button } from '../../ui/Button.tsx';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { createAuditFile, auditFormats, type AuditFormat } from '../model/auditFile.ts';
import { useAdminWords } from './useAdminWords.ts';

const perPage = 100;
const maxRecords = 10_000;

/** Returns the latest audit records, of one user or of all, and true if older ones were cut. */
async function gather(userId: string): Promise<{ records: BillingAuditRecord[]; isCut: boolean }> {
  const records: BillingAuditRecord[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: perPage, ...(userId !== '' && { userId }), ...(cursor !== null && { cursor }) };
    // Each page begins where the previous one ended.
    const page: { items: BillingAuditRecord[]; nextCursor: string | null } = await withProof(() =>
      callPage(routes.findAudit, { query }),
    );
    records.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && records.length < maxRecords);
  return { records, isCut: cursor !== null };
}

/** Downloads the audit as a file, filtered like the list: of one account if given. */
export function AuditExport({ userId }: { userId: string }) {
  const { t, i18n } = useAdminWords();
  const [busy, setBusy] = useState<AuditFormat | null>(null);
  const save = async (format: AuditFormat) => {
    setBusy(format);
    try {
      const { records, isCut } = await gather(userId);
      saveFile(createAuditFile(records, format), `nolo-billing-audit.${format}`);
      if (isCut) toast({ kind: 'info', title: t('billingAdmin.exportCut', { count: records.length }) });
    } catch (error) {
      if (!(error instanceof ProofDeclined)) {
        showFailure({ title: t('billingAdmin.exportFailed'), description: explainFailure(i18n, error) });
      }
    } finally {
      setBusy(null);
    }
  };
  return auditFormats.map((format) => (
    <Button
      key={format}
      kind="secondary"
      size="small"
      icon={<Download />}
      busy={busy === format}
      disabled={busy !== null}
      onClick={() => void save(format)}
    >
      {t('billingAdmin.exportAs', { format: format.toUpperCase() })}
    </Button>
  ));
}
