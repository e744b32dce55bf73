import { routes, type AuditLogVerification, type OperatorAuditEntry } from '@nolo/api';
import { Download, Inbox, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { call } from '../api/httpClient.ts';
import { usePages } from '../api/usePages.ts';
import { saveFile } from '../device/saveFile.ts';
import { useLocale } from '../i18n/locale.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { TextField } from '../ui/TextField.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { adminKeys, loadRecentOperatorActs, useOperatorActionOptions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { isolated } from './isolated.ts';
import { AdminRows } from './AdminRows.tsx';
import { getTranslate, useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

const actsPerPage = 50;
const verifyMs = 30_000;
const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Operators' actions, a check that they are unchanged, and a download of all of them. */
export function AuditPage() {
  const { t } = useTexts(adminTexts);
  const [params] = useSearchParams();
  const [typed, setTyped] = useState(params.get('account') ?? '');
  const userId = isId.test(typed.trim()) ? typed.trim() : '';
  const acts = usePages(routes.listOperatorActs, {
    queryKey: [...adminKeys.acts, userId],
    query: { limit: actsPerPage, ...(userId !== '' && { userId }) },
  });
  return (
    <>
      <p className="text-14 text-muted">{t('admin:auditText')}</p>
      <TextField
        label={t('admin:account')}
        hint={t('admin:accountHint')}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Checks userId={userId} />
      <AdminRows list={acts} empty={<EmptyState icon={<Inbox />} title={t('admin:nothing')} />}>
        {(act) => <ActRow key={act.position} act={act} />}
      </AdminRows>
    </>
  );
}

function Checks({ userId }: { userId: string }) {
  const { t } = useTexts(adminTexts);
  const [state, setState] = useState<AuditLogVerification | null>(null);
  const verify = useAction(() => call(routes.verifyOperatorActs, { timeoutMs: verifyMs }), useOperatorActionOptions());
  const save = useAction(
    async () => {
      const { acts, isCut } = await loadRecentOperatorActs(userId);
      // JSON lines, each with everything that its hash covers.
      const lines = acts.map((act) => `${JSON.stringify(act)}\n`);
      saveFile(new Blob(lines, { type: 'application/jsonl' }), 'nolo-audit.jsonl');
      if (isCut) toast({ kind: 'info', title: t('admin:exportCut', { count: acts.length }) });
    },
    { failure: t('admin:exportFailed') },
  );
  const busy = verify.busy || save.busy;

  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button
          kind="secondary"
          size="small"
          icon={<ShieldCheck />}
          busy={verify.busy}
          disabled={busy}
          onClick={() => void verify.run().then((done) => setState(done?.result ?? null))}
        >
          {t('admin:verify')}
        </Button>
        <Button
          kind="secondary"
          size="small"
          icon={<Download />}
          busy={save.busy}
          disabled={busy}
          onClick={() => void save.run()}
        >
          {t('admin:export')}
        </Button>
      </div>
      <div role="status">{state && <Verdict state={state} />}</div>
    </>
  );
}

function Verdict({ state: { entries, head, brokenAt } }: { state: AuditLogVerification }) {
  const { t } = useTexts(adminTexts);
  if (brokenAt !== null) {
    return (
      <div className="rounded-control bg-danger-subtle px-3 py-2 text-13 text-danger-text">
        <p className="font-medium">{t('admin:broken')}</p>
        <p>{t('admin:brokenText', { position: brokenAt })}</p>
      </div>
    );
  }
  return (
    <div className="rounded-control bg-accent-subtle px-3 py-2 text-13 text-accent-text">
      <p className="font-medium">{entries === 0 ? t('admin:verifiedNone') : t('admin:verified', { count: entries })}</p>
      {head !== null && <p className="wrap-anywhere select-text">{t('admin:verifiedHead', { hash: head })}</p>}
    </div>
  );
}

/** Formats names and values, which arrive as the hashed text. */
function detailsInWords(details: string): string {
  const known = JSON.parse(details) as Readonly<Record<string, string | number | boolean>>;
  return Object.entries(known)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

function ActRow({ act }: { act: OperatorAuditEntry }) {
  const { t, i18n } = useTexts(adminTexts);
  const locale = useLocale();
  const key = `admin:actions.${act.action}`;
  // An action of a later release has no text here, so its name is shown.
  const name = i18n.exists(key) ? String(getTranslate(i18n, adminTexts)(key as 'admin:title')) : act.action;
  return (
    <li className="rounded-card border border-line bg-raised p-3 text-13">
      <p className="flex flex-wrap items-baseline gap-x-3 text-14 font-medium">
        <span className="min-w-40 flex-1">{name}</span>
        <span className="tabular text-13 font-normal text-muted">
          {act.position} · {formatMoment(act.at, locale)}
        </span>
      </p>
      <div className="mt-1 flex flex-col gap-0.5 wrap-anywhere text-muted">
        {act.reason !== null && <p className="text-ink">{t('admin:because', { reason: act.reason })}</p>}
        {act.userId !== null && <p>{t('admin:about', { id: isolated(act.userId) })}</p>}
        <p>{act.operatorId === null ? t('admin:byCommandLine') : t('admin:by', { id: isolated(act.operatorId) })}</p>
        {act.details !== '{}' && <p>{t('admin:details', { details: isolated(detailsInWords(act.details)) })}</p>}
      </div>
    </li>
  );
}
