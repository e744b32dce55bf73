import type { Conversation } from '@nolo/api';
import type { ConversationStanding } from '@nolo/client/keys/conversations/types';
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import { useState } from 'react';
import { VerifiedMark } from '../../keys/VerifiedMark.tsx';
import { useLocale } from '../../i18n/locale.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/Button.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useChatState, usePerson } from '../context/chatContext.ts';
import { useDisplayNameOf } from '../words/useDisplayNameOf.ts';
import { sealedTexts } from './sealedTexts.ts';
import { useListPeople } from './useListPeople.ts';

const EncryptionLimitsDialog = lazyDialog(
  async () => (await import('./EncryptionLimitsDialog.tsx')).EncryptionLimitsDialog,
);

/** Members shown at once. */
const membersAtOnce = 20;

/** Says in the details of a conversation whether and how it is encrypted, for whom, and what is not. */
export function EncryptionSection({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(sealedTexts);
  const standing = useChatState((state) => state.standings[conversation.id]);
  const [limitsOpen, setLimitsOpen] = useState(false);
  const isSealed = standing?.isSealed === true;
  const goesSealed = isSealed || standing?.send?.state === 'sealed';
  // The device checked no header: it has no keys, or none of the conversation.
  const isClaimed = !goesSealed && (conversation.sealedFromSeq ?? null) !== null;
  const Icon = goesSealed ? LockKeyhole : LockKeyholeOpen;
  return (
    <section className="flex flex-col gap-3 rounded-card border border-line bg-raised p-4">
      <h3 className="flex items-center gap-2 text-14 font-semibold">
        <Icon aria-hidden="true" className={goesSealed ? 'size-4 text-accent-text' : 'size-4 text-muted'} />
        {t(goesSealed ? 'sealed:details.sealed' : isClaimed ? 'sealed:details.claimed' : 'sealed:details.plain')}
      </h3>
      {isSealed && <Sealed conversation={conversation} standing={standing} />}
      {isClaimed && <p className="text-13 text-muted">{t('sealed:details.claimedText')}</p>}
      {!isSealed && !isClaimed && (
        <NotSealed
          goesSealed={goesSealed}
          withoutKeys={standing?.send?.state === 'plain' ? standing.send.withoutKeys : []}
        />
      )}
      {conversation.group?.isPublic === true && goesSealed && (
        <p className="text-13 text-warning-text">{t('sealed:details.openCode')}</p>
      )}
      <Button kind="secondary" size="small" className="self-start" onClick={() => setLimitsOpen(true)}>
        {t('sealed:details.limits')}
      </Button>
      {limitsOpen && <EncryptionLimitsDialog onClose={() => setLimitsOpen(false)} />}
    </section>
  );
}

function NotSealed({ goesSealed, withoutKeys }: { goesSealed: boolean; withoutKeys: readonly string[] }) {
  const { t } = useTexts(sealedTexts);
  const names = useListPeople(withoutKeys);
  return (
    <div className="flex flex-col gap-1 text-13 text-muted">
      <p>{t(goesSealed ? 'sealed:details.ready' : 'sealed:details.plainText')}</p>
      {withoutKeys.length > 0 && <p>{t('sealed:plain.people', { count: withoutKeys.length, names })}</p>}
    </div>
  );
}

/** Time of the header that began the encryption, by its committer's clock. */
const beginningOf = ({ lines }: ConversationStanding): number | undefined =>
  lines.find(({ change: { kind } }) => kind === 'started' || kind === 'started_by_server_members')?.at;

/** Returns true if people wrote before the conversation was encrypted. */
const hasEarlierMessages = ({ sealedFromSeq, type }: Conversation, { lines }: ConversationStanding): boolean =>
  type === 'direct'
    ? (sealedFromSeq ?? 1) > 1
    : lines.some(({ change: { kind } }) => kind === 'started_by_server_members');

function Sealed({ conversation, standing }: { conversation: Conversation; standing: ConversationStanding }) {
  const { t } = useTexts(sealedTexts);
  const locale = useLocale();
  const [shown, setShown] = useState(membersAtOnce);
  const { epoch, suite, members } = standing;
  const at = beginningOf(standing);
  const date =
    at === undefined ? null : new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(at);
  return (
    <>
      <div className="flex flex-col gap-1 text-13 text-muted">
        <p>{date === null ? t('sealed:details.text') : t('sealed:details.since', { date })}</p>
        {date !== null && hasEarlierMessages(conversation, standing) && <p>{t('sealed:details.before', { date })}</p>}
      </div>
      <dl className="flex flex-col gap-2 text-13">
        {suite !== null && (
          <div>
            <dt className="text-muted">{t('sealed:details.method')}</dt>
            <dd>{t(suite === 2 ? 'sealed:details.suiteHybrid' : 'sealed:details.suiteClassic')}</dd>
          </div>
        )}
        {epoch !== null && (
          <div>
            <dt className="text-muted">{t('sealed:details.epoch')}</dt>
            <dd>{epoch === 0 ? t('sealed:details.firstEpoch') : t('sealed:details.epochValue', { count: epoch })}</dd>
          </div>
        )}
        <div>
          <dt className="text-muted">{t('sealed:details.members')}</dt>
          <dd>
            <ul className="mt-0.5 max-h-60 overflow-y-auto">
              {members.slice(0, shown).map(({ userId, devices }) => (
                <MemberDevices key={userId} userId={userId} devices={devices} />
              ))}
            </ul>
            {members.length > shown && (
              <Button kind="quiet" size="small" onClick={() => setShown(shown + membersAtOnce)}>
                {t('sealed:details.showMore')}
              </Button>
            )}
          </dd>
        </div>
      </dl>
    </>
  );
}

function MemberDevices({ userId, devices }: { userId: string; devices: number }) {
  const { t } = useTexts(sealedTexts);
  const nameOf = useDisplayNameOf();
  usePerson(userId);
  return (
    <li className="flex min-h-7 items-center gap-1.5">
      <span dir="auto" className="min-w-0 truncate">
        {nameOf(userId)}
      </span>
      <VerifiedMark userId={userId} />
      <span className="ms-auto shrink-0 text-muted">
        {devices === 0 ? t('sealed:details.noDevices') : t('sealed:details.devices', { count: devices })}
      </span>
    </li>
  );
}
