import { routes } from '@nolo/api';
import { presenceStatuses, type PresenceStatus } from '@nolo/rules';
import { ChevronDown, Mail, Phone } from 'lucide-react';
import { Suspense, type ComponentType } from 'react';
import { call } from '../../api/httpClient.ts';
import { useIsServerReachable } from '../../chat/context/chatContext.ts';
import { useSelf } from '../../session/self.ts';
import { useArePlansSold } from '../../session/useArePlansSold.ts';
import { Card } from '../../ui/Card.tsx';
import { DropdownMenu, MenuChoice } from '../../ui/DropdownMenu.tsx';
import { PresenceDot } from '../../ui/PresenceDot.tsx';
import { OwnPictureEditor } from './OwnPictureEditor.tsx';
import { useUpdateSelf } from './useUpdateSelf.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/** User as others see them: picture, name, presence. `PlanBadge` names the plan, if plans are sold. */
export function OwnProfileCard({ PlanBadge }: { PlanBadge: ComponentType }) {
  const { t } = useTexts(profileTexts);
  const self = useSelf();
  const sells = useArePlansSold();
  return (
    <Card className="flex items-center gap-4">
      <OwnPictureEditor name={self.displayName} />
      <div className="flex min-w-0 flex-1 flex-col items-start">
        <h2 className="max-w-full text-16 font-semibold tracking-tight wrap-anywhere">{self.displayName}</h2>
        {self.username ? (
          <p className="max-w-full truncate text-14 text-muted" dir="ltr">
            @{self.username}
          </p>
        ) : null}
        {sells && (
          <Suspense fallback={<span className="mt-1.5 h-5.5" />}>
            <span className="mt-1.5 flex h-5.5">
              <PlanBadge />
            </span>
          </Suspense>
        )}
        {self.statusMessage !== '' && (
          <p className="mt-1 max-w-full text-14 text-muted wrap-anywhere">{self.statusMessage}</p>
        )}
        <PresenceChoice />
        <dl className="mt-2 flex max-w-full flex-col gap-1 text-13 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted">
          {self.phoneNumber !== null && (
            <div className="flex items-center gap-2">
              <dt>
                <Phone aria-hidden="true" />
                <span className="sr-only">{t('auth.phoneLabel')}</span>
              </dt>
              <dd className="tabular truncate" dir="ltr">
                {self.phoneNumber}
              </dd>
            </div>
          )}
          {self.email !== null && (
            <div className="flex min-w-0 items-center gap-2">
              <dt>
                <Mail aria-hidden="true" />
                <span className="sr-only">{t('profile:email')}</span>
              </dt>
              <dd className="min-w-0 wrap-anywhere" dir="ltr">
                {self.email}
              </dd>
            </div>
          )}
        </dl>
      </div>
    </Card>
  );
}

function PresenceChoice() {
  const { t } = useTexts(profileTexts);
  const { presenceStatus } = useSelf();
  const shown = useIsServerReachable() ? presenceStatus : 'offline';
  const update = useUpdateSelf();
  const choose = (chosen: PresenceStatus) => {
    if (chosen === presenceStatus) return;
    const body = { presenceStatus: chosen };
    void update.run({ change: body, save: () => call(routes.updateProfile, { body }) });
  };
  return (
    <DropdownMenu
      align="center"
      trigger={
        <button
          type="button"
          className="tap mt-2 inline-flex h-8 items-center gap-2 rounded-full border border-line ps-3.5 pe-3 text-13 font-medium transition-colors duration-150 hover:bg-hover"
        >
          <PresenceDot presence={shown} decorative />
          <span className="sr-only">{t('profile:presence')}</span>
          {t(`presence.${shown}`)}
          <ChevronDown aria-hidden="true" className="size-4 text-muted" />
        </button>
      }
    >
      <MenuChoice<PresenceStatus>
        label={t('profile:presence')}
        value={presenceStatus}
        onValueChange={choose}
        options={presenceStatuses.map((value) => ({
          value,
          label: (
            <>
              {t(`presence.${value}`)}
              <span className="block text-12 text-muted">{t(`profile:presenceHints.${value}`)}</span>
            </>
          ),
          icon: <PresenceDot presence={value} decorative className="shrink-0" />,
        }))}
      />
    </DropdownMenu>
  );
}
