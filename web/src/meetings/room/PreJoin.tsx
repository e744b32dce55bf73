import { cleanName, limits } from '@nolo/rules';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useStore } from 'zustand';
import { listen } from '../../device/listen.ts';
import { ApiError } from '../../api/httpClient.ts';
import { browserSupport } from '../../device/browserSupport.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { isDeviceOnByDefault, rememberDeviceOnByDefault } from '../../device/deviceChoice.ts';
import type { DeviceSource } from '@nolo/client/rooms/ports';
import { Avatar } from '../../ui/Avatar.tsx';
import { AnnouncementBanners } from '../../shell/AnnouncementBanners.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { BrandLogo } from '../brand/BrandLogo.tsx';
import { DevicePickers } from './DevicePickers.tsx';
import { LocalPreview } from './LocalPreview.tsx';
import type { MeetingAddress } from './meetingAddress.ts';
import { useRoomState, useRoomSession } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

export interface GuestRegistration {
  enter(name: string): Promise<void>;
  /** Restores the registration after a page reload. */
  resume(): void;
}

export interface PreJoinProps {
  address: MeetingAddress;
  self: { name: string; profileImageUrl: string | null } | null;
  entrance: GuestRegistration | undefined;
  onHome: () => void;
  onSignIn: (() => void) | undefined;
}

const guestNameKey = 'nolo.guestName';

interface DeviceChoice {
  microphone: boolean;
  camera: boolean;
}

/** Devices to join with. Each switch opens and closes its device. */
function useDeviceChoice(address: MeetingAddress): [DeviceChoice, (source: DeviceSource, on: boolean) => void] {
  const session = useRoomSession();
  const [deviceChoice, setDeviceChoice] = useState(() => ({
    microphone: isDeviceOnByDefault(localStorage, 'microphone'),
    camera: address.type === 'video' && isDeviceOnByDefault(localStorage, 'camera'),
  }));
  // Runs once when the page opens. After that, each switch opens and closes its own device.
  const first = useRef(deviceChoice);
  useEffect(() => {
    const { own, store } = session;
    const { microphone, camera } = first.current;
    // A user who returns after a reload is already joining.
    if (store.getState().phase.name !== 'outside') return;
    if (microphone && camera) void own.openBoth();
    else if (microphone) own.open('microphone').catch(() => {});
    else if (camera) own.open('camera').catch(() => {});
  }, [session]);

  // Activity after a pause suggests that the user is about to join.
  useEffect(() => listen(window, ['pointermove', 'keydown'], () => session.warm()), [session]);

  const change = (source: DeviceSource, on: boolean): void => {
    setDeviceChoice((before) => ({ ...before, [source]: on }));
    rememberDeviceOnByDefault(localStorage, source, on);
    // The preview shows the result.
    if (on) session.own.open(source).catch(() => {});
    else session.own.close(source);
  };
  return [deviceChoice, change];
}

/** Information before joining: the meeting, who admits people, and whether it is recorded. */
function PreJoinSummary({ forGuest }: { forGuest: boolean }) {
  const { t } = useTexts(meetingTexts);
  const access = useStore(useRoomSession().access);
  return (
    <>
      <div>
        <p className="text-14 text-muted">{access.name || t('meeting:title')}</p>
        <h1 className="text-24 font-semibold">{t('meeting:ready.title')}</h1>
        {access.waits && (
          <p className="mt-1 text-14 text-muted">
            {t(
              access.guarded ? 'meeting:ready.guarded' : forGuest ? 'meeting:ready.asGuest' : 'meeting:ready.needsHost',
            )}
          </p>
        )}
      </div>
      {access.isRecording && (
        <p className="flex items-center gap-2 rounded-card bg-danger-subtle px-3 py-2 text-14 text-danger-text">
          <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-danger" />
          {t('meeting:recording.beforeJoining')}
        </p>
      )}
    </>
  );
}

/** Pre-join page: the user checks picture, sound, and name before anyone sees them. */
export function PreJoin({ address, self, entrance, onHome, onSignIn }: PreJoinProps) {
  const { t, i18n } = useTexts(meetingTexts);
  const session = useRoomSession();
  const access = useStore(session.access);
  const media = useStore(session.media);
  const phase = useRoomState((state) => state.phase);
  const reconnecting = useRoomState((state) => state.reconnecting);
  const [deviceChoice, change] = useDeviceChoice(address);
  const [name, setName] = useState(() => sessionStorage.getItem(guestNameKey) ?? '');
  const [nameError, setNameError] = useState<string>();
  const [entering, setEntering] = useState(false);
  const joining = phase.name !== 'outside' || entering;
  const ownName = self?.name ?? cleanName(name);

  const join = async (): Promise<void> => {
    if (joining) return;
    if (!self && ownName === '') {
      setNameError(t('meeting:ready.nameRequired'));
      return;
    }
    const comeIn = () => {
      const { microphone, camera } = session.own.store.getState();
      // Devices that failed to open are left out: the user joins without them.
      session.join({
        microphone: deviceChoice.microphone && microphone.status !== 'failed',
        camera: deviceChoice.camera && camera.status !== 'failed',
      });
    };
    if (!entrance) return comeIn();
    setEntering(true);
    try {
      await entrance.enter(ownName);
      if (!self) sessionStorage.setItem(guestNameKey, ownName);
      comeIn();
    } catch (error) {
      setNameError(error instanceof ApiError ? explainFailure(i18n, error) : t('errors.network'));
    } finally {
      setEntering(false);
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void join();
  };

  return (
    <main
      className="flex h-dvh flex-col bg-page has-[~[data-call-pill]]:pt-15 lg:block lg:overflow-y-auto"
      data-testid="meeting-prejoin"
    >
      <AnnouncementBanners />
      {(phase.name === 'preparing' || (media.unavailable && !media.ready)) && (
        <Banner tone="info" icon={<Spinner />}>
          {t(phase.name === 'preparing' ? 'meeting:preparing' : 'meeting:preparingShort')}
        </Banner>
      )}
      {!browserSupport.capture() && <Banner tone="warning">{t('meeting:problem.noDevices')}</Banner>}
      {reconnecting && <Banner tone="warning">{t('meeting:room.reconnecting')}</Banner>}
      <form
        onSubmit={submit}
        className="mx-auto flex min-h-0 w-full max-w-5xl flex-1 flex-col lg:grid lg:min-h-full lg:grid-cols-[1.4fr_1fr] lg:content-center lg:gap-x-10 lg:gap-y-4 lg:px-4 lg:py-6"
      >
        {/* Phones scroll all of this above the join button, which stays visible. */}
        <div className="flex min-h-0 flex-1 flex-col justify-center-safe gap-6 overflow-y-auto px-4 pt-[calc(1.5rem+env(safe-area-inset-top))] pb-4 lg:contents">
          <div className="shrink-0 lg:row-span-2 lg:self-center">
            <LocalPreview
              name={ownName}
              imageUrl={self?.profileImageUrl}
              deviceChoice={deviceChoice}
              onChange={change}
            />
          </div>
          <div className="flex shrink-0 flex-col gap-4 lg:self-end">
            {access.brand && <BrandLogo brand={access.brand} />}
            <PreJoinSummary forGuest={self === null} />
            {self ? (
              <p className="flex items-center gap-2.5 text-14">
                <Avatar name={self.name} imageUrl={self.profileImageUrl} size={32} />
                {t('meeting:ready.joinAs', { name: self.name })}
              </p>
            ) : (
              <TextField
                label={t('meeting:ready.name')}
                hint={t('meeting:ready.nameHint')}
                error={nameError}
                value={name}
                maxLength={limits.guestNameLength}
                autoComplete="name"
                onChange={(event) => {
                  setName(event.target.value);
                  setNameError(undefined);
                }}
              />
            )}
            <DevicePickers />
            {self && nameError !== undefined && <p className="text-13 text-danger-text">{nameError}</p>}
          </div>
        </div>
        <div
          data-keep-clear
          className="flex shrink-0 flex-col gap-2 px-4 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] lg:self-start lg:p-0"
        >
          <Button type="submit" size="large" wide busy={joining}>
            {joining ? t('meeting:ready.joining') : t(access.waits ? 'meeting:ready.ask' : 'meeting:ready.join')}
          </Button>
          <div className="flex flex-wrap gap-2 lg:flex-col">
            {onSignIn && (
              <Button kind="secondary" className="grow" onClick={onSignIn}>
                {t('meeting:ready.signInInstead')}
              </Button>
            )}
            <Button kind="quiet" className="grow" onClick={onHome}>
              {t(self ? 'meeting:leaveScreen' : 'common.goBackHome')}
            </Button>
          </div>
        </div>
      </form>
    </main>
  );
}
