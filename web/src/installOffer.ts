import { installStore } from './shell/install.ts';

/** Chromium's event; it is in no standard library of types. */
interface BeforeInstallPromptEvent extends Event {
  prompt: () => Promise<void>;
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** Keeps the browser's install prompt for the Install buttons; it can be shown once. */
export function captureInstallOffer(page: Window): void {
  page.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    const offered = event as BeforeInstallPromptEvent;
    installStore.getState().setOffer({
      async prompt() {
        installStore.getState().setOffer(null);
        await offered.prompt();
        return (await offered.userChoice).outcome === 'accepted';
      },
    });
  });
  page.addEventListener('appinstalled', () => installStore.getState().setOffer(null));
}
