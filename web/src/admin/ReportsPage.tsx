import { routes, type AdminReport } from '@nolo/api';
import { reportOutcomes, reportStates, type ReportOutcome, type ReportState } from '@nolo/rules';
import { Inbox } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { usePages } from '../api/usePages.ts';
import { useLocale } from '../i18n/locale.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Select } from '../ui/Select.tsx';
import { useAction } from '../ui/useAction.ts';
import { adminKeys, useOperatorActionOptions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { AdminRows } from './AdminRows.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

const reportsPerPage = 20;

/** Reports of users, with the evidence that they submitted, and how they are handled. */
export function ReportsPage() {
  const { t } = useTexts(adminTexts);
  const [state, setState] = useState<ReportState>('open');
  const list = usePages(routes.listReports, {
    queryKey: [...adminKeys.reports, state],
    query: { state, limit: reportsPerPage },
  });
  return (
    <>
      <p className="text-14 text-muted">{t('admin:reportsText')}</p>
      <Segmented<ReportState>
        label={t('admin:reportState')}
        value={state}
        onValueChange={setState}
        options={reportStates.map((value) => ({ value, label: t(`admin:reportStates.${value}`) }))}
      />
      <AdminRows cards list={list} empty={<EmptyState icon={<Inbox />} title={t('admin:nothing')} />}>
        {(report) => <ReportCard key={report.id} report={report} />}
      </AdminRows>
    </>
  );
}

function ReportCard({ report }: { report: AdminReport }) {
  const { t } = useTexts(adminTexts);
  const locale = useLocale();
  const [goingOn, setGoingOn] = useState<ReportState | null>(null);
  const { kind, state, outcome, note, messages, notes, reportedId, reporterId, groupOwner } = report;
  const accountId = reportedId ?? groupOwner?.id;
  const id = (one: string) => <code className="font-mono text-13 break-all">{one}</code>;
  return (
    <Card
      title={t(`admin:reportKinds.${kind}`)}
      action={<Badge tone="accent">{t(`admin:reportCategories.${report.category}`)}</Badge>}
    >
      <dl className="flex flex-col gap-1 text-13 text-muted">
        <Fact name={t('admin:since')}>{formatMoment(report.at, locale)}</Fact>
        <Fact name={t('admin:reported')}>{id(reportedId ?? report.targetId)}</Fact>
        {kind === 'group' && (
          <Fact name={t('admin:groupOwner')}>
            {groupOwner ? (
              <>
                <bdi>{groupOwner.displayName}</bdi> {id(groupOwner.id)}
              </>
            ) : (
              t('admin:groupOwnerUnknown')
            )}
          </Fact>
        )}
        <Fact name={t('admin:reporter')}>{reporterId === null ? t('admin:reporterGone') : id(reporterId)}</Fact>
        {outcome !== null && <Fact name={t('admin:outcome')}>{t(`admin:outcomes.${outcome}`)}</Fact>}
      </dl>
      {note !== null && (
        <p dir="auto" className="mt-3 text-14 wrap-anywhere whitespace-pre-wrap">
          {note}
        </p>
      )}
      <ul className="mt-3 flex flex-col gap-1" aria-label={t('admin:handedOver')}>
        {messages.map(({ senderId, sentAt, text }, place) => (
          <li key={place} className="rounded-control border border-line p-2 text-13">
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {text}
            </p>
            <p className="text-muted">
              {formatMoment(sentAt, locale)} {senderId !== null && id(senderId)}
            </p>
          </li>
        ))}
      </ul>
      {report.hasPicture && <HandedPicture id={report.id} />}
      {notes.map(({ at, text, operatorId }) => (
        <p key={`${at} ${text}`} className="mt-2 text-13 wrap-anywhere text-muted">
          {formatMoment(at, locale)}: {text} ({operatorId === null ? t('admin:byCommandLine') : id(operatorId)})
        </p>
      ))}
      <div className="mt-4 flex flex-wrap gap-2">
        {reportStates
          .filter((one) => one !== state)
          .map((one) => (
            <Button key={one} kind="secondary" size="small" onClick={() => setGoingOn(one)}>
              {t(`admin:goOn.${one}`)}
            </Button>
          ))}
        {accountId !== undefined && (
          <Link to={`/admin?account=${accountId}`} className={buttonClasses({ kind: 'quiet', size: 'small' })}>
            {t('admin:account')}
          </Link>
        )}
      </div>
      {goingOn && <GoOnDialog report={report} state={goingOn} onClose={() => setGoingOn(null)} />}
    </Card>
  );
}

/** Submitted picture, shown only on request, because not everyone wants to see it; each view is recorded. */
function HandedPicture({ id }: { id: string }) {
  const { t } = useTexts(adminTexts);
  const [address, setAddress] = useState<string | null>(null);
  const see = useAction(routes.getReportPicture, {
    ...useOperatorActionOptions(),
    onDone: ({ type, content }) => setAddress(`data:${type};base64,${content}`),
  });
  if (address !== null) {
    return (
      <img
        src={address}
        alt={t('admin:handedPicture')}
        className="mt-3 max-h-96 max-w-full rounded-control border border-line object-contain"
      />
    );
  }
  return (
    <Button
      kind="secondary"
      size="small"
      className="mt-3"
      busy={see.busy}
      onClick={() => void see.run({ params: { id } })}
    >
      {t('admin:showPicture')}
    </Button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt>{name}</dt>
      <dd className="min-w-0 text-ink">{children}</dd>
    </div>
  );
}

/** Asks for a note and, if the report is closed, for the result. */
function GoOnDialog({ report, state, onClose }: { report: AdminReport; state: ReportState; onClose: () => void }) {
  const { t } = useTexts(adminTexts);
  const change = useAction(routes.changeReport, useOperatorActionOptions(adminKeys.reports));
  const [outcome, setOutcome] = useState<ReportOutcome>('nothing');
  return (
    <ReasonDialog
      title={t(`admin:goOn.${state}`)}
      submitLabel={t(`admin:goOn.${state}`)}
      field={{ label: t('admin:note'), hint: t('admin:noteHint'), missing: t('admin:noteMissing') }}
      onClose={onClose}
      onSubmit={(note) =>
        change.run({ params: { id: report.id }, body: { state, note, ...(state === 'closed' && { outcome }) } })
      }
    >
      {state === 'closed' && (
        <Select<ReportOutcome>
          label={t('admin:outcome')}
          hint={t('admin:outcomeHint')}
          value={outcome}
          onValueChange={setOutcome}
          options={reportOutcomes.map((value) => ({ value, label: t(`admin:outcomes.${value}`) }))}
        />
      )}
    </ReasonDialog>
  );
}
