import { routes, type MailInvitation } from '@nolo/api';
import { mailInvitationLimits, toSupportedLanguage, supportedLanguages, type SupportedLanguage } from '@nolo/rules';
import { Mail, MailPlus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useStore } from 'zustand';
import { usePages } from '../api/usePages.ts';
import { useLocale } from '../i18n/locale.ts';
import { configStore } from '../session/config.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Select } from '../ui/Select.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { useFormStateAcrossNavigation } from '../session/useFormStateAcrossNavigation.ts';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { adminKeys, useOperatorActionOptions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { AdminRows } from './AdminRows.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

const validDays = mailInvitationLimits.days;

const useSendsMail = (): boolean => useStore(configStore, ({ config }) => config?.features.mailSignIn === true);

/** Email invitations from operators: new ones, and those not accepted yet. */
export function MailInvitationsPage() {
  const { t } = useTexts(adminTexts);
  const mails = useSendsMail();
  return (
    <>
      <p className="text-14 text-muted">{t('admin:invitationsText', { count: validDays })}</p>
      {mails ? <NewInvitations /> : <p className="text-14">{t('admin:inviteNoMail')}</p>}
      <AdminRows
        list={usePages(routes.listMailInvitations, { queryKey: adminKeys.invitations })}
        empty={<EmptyState icon={<Mail />} title={t('admin:noInvitations')} />}
        label={t('admin:invitationsWaiting')}
      >
        {(one) => <InvitationRow key={one.id} invitation={one} />}
      </AdminRows>
    </>
  );
}

/** Returns the language of the operator who invites. */
const languageOf = (language: string): SupportedLanguage => toSupportedLanguage(language.slice(0, 2));

function NewInvitations() {
  const { t, i18n } = useTexts(adminTexts);
  const invite = useAction(routes.inviteByMail, useOperatorActionOptions(adminKeys.invitations));
  const [language, setLanguage] = useState(() => languageOf(i18n.language));
  const [typed, setTyped] = useFormStateAcrossNavigation('invitations', '');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const emails = typed.split(/[\s,;]+/).filter((word) => word !== '');
  const wrong = emails.find((word) => !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(word));
  const problem =
    emails.length === 0
      ? t('admin:inviteMissing')
      : wrong !== undefined
        ? t('admin:inviteWrong', { email: wrong })
        : emails.length > mailInvitationLimits.atOnce
          ? t('admin:inviteTooMany', { count: mailInvitationLimits.atOnce })
          : null;

  const send = async (event: FormEvent) => {
    event.preventDefault();
    setHasSubmitted(true);
    if (problem !== null) return;
    const done = await invite.run({ body: { emails, language } });
    if (!done) return;
    const { invitations, known } = done.result;
    if (invitations.length > 0) {
      toast({ kind: 'success', title: t('admin:inviteDone', { count: invitations.length }) });
    }
    if (known.length > 0) {
      toast({ kind: 'info', title: t('admin:inviteKnown'), description: known.join(', ') });
    }
    setTyped('');
    setHasSubmitted(false);
  };

  return (
    <Card title={t('admin:inviteTitle')}>
      <form className="flex flex-col gap-4" noValidate onSubmit={(event) => void send(event)}>
        <TextArea
          label={t('admin:inviteMails')}
          hint={t('admin:inviteHint')}
          error={hasSubmitted ? problem : null}
          dir="ltr"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Select<SupportedLanguage>
          label={t('admin:inviteLanguage')}
          className="sm:max-w-60"
          value={language}
          onValueChange={setLanguage}
          options={supportedLanguages.map((value) => ({ value, label: t(`admin:inviteLanguages.${value}`) }))}
        />
        <Button type="submit" className="self-start" icon={<MailPlus />} busy={invite.busy}>
          {t('admin:invite')}
        </Button>
      </form>
    </Card>
  );
}

function InvitationRow({ invitation: { id, email, sentAt, expiresAt } }: { invitation: MailInvitation }) {
  const { t, i18n } = useTexts(adminTexts);
  const locale = useLocale();
  const mails = useSendsMail();
  const options = useOperatorActionOptions(adminKeys.invitations);
  const resend = useAction(routes.inviteByMail, {
    ...options,
    onDone: () => toast({ kind: 'success', title: t('admin:inviteDone', { count: 1 }) }),
  });
  const withdraw = useAction(routes.withdrawMailInvitation, {
    ...options,
    onDone: () => toast({ kind: 'success', title: t('admin:withdrawDone') }),
  });
  const busy = resend.busy || withdraw.busy;

  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-raised p-3 text-13">
      <div className="min-w-52 flex-1">
        <p className="text-14 font-medium select-text">
          <bdi dir="ltr" className="wrap-anywhere">
            {email}
          </bdi>
        </p>
        <p className="tabular text-muted">
          {t('admin:invitedFromTo', { from: formatMoment(sentAt, locale), to: formatMoment(expiresAt, locale) })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {mails && (
          <Button
            kind="secondary"
            size="small"
            busy={resend.busy}
            disabled={busy}
            onClick={() => void resend.run({ body: { emails: [email], language: languageOf(i18n.language) } })}
          >
            {t('admin:inviteAgain')}
          </Button>
        )}
        <Button
          kind="secondary"
          size="small"
          busy={withdraw.busy}
          disabled={busy}
          onClick={() => void withdraw.run({ params: { id } })}
        >
          {t('admin:withdraw')}
        </Button>
      </div>
    </li>
  );
}
