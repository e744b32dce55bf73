import type { Locator, Page } from 'playwright-core';
import { en, enCall, enCalls, fillPlaceholders } from '../support/words.ts';

/** Drives a call with one other person, from the button to the end. */
export class CallPage {
  readonly page: Page;
  readonly name: string;
  readonly voiceCall: Locator;
  readonly videoCall: Locator;
  /** Incoming call that rings. */
  readonly incoming: Locator;
  readonly screen: Locator;
  readonly ringing: Locator;
  readonly large: Locator;
  /** Videos on the call's screen. */
  readonly videos: Locator;
  readonly controls: Locator;
  readonly end: Locator;
  /** Indicator of the call while the user looks at something else. */
  readonly pill: Locator;
  readonly cameraOn: Locator;
  readonly microphoneOff: Locator;
  readonly microphoneOn: Locator;
  readonly disconnected: Locator;
  readonly peerMuted: Locator;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
    const main = page.getByRole('main');
    const chat = page.getByRole('region', { name: en.shell.main });
    this.voiceCall = chat.getByRole('button', { name: fillPlaceholders(enCall.voiceWith, { name }) });
    this.videoCall = chat.getByRole('button', { name: fillPlaceholders(enCall.videoWith, { name }) });
    this.incoming = page.getByRole('alertdialog', { name: fillPlaceholders(enCalls.isCalling, { name }) });
    this.screen = page.getByTestId('call-screen');
    this.ringing = this.screen.getByText(enCalls.ringing);
    this.large = page.getByTestId('call-large').getByTestId('video');
    this.videos = this.screen.getByTestId('video');
    this.controls = page.getByRole('toolbar', { name: enCalls.controls });
    this.end = this.controls.getByRole('button', { name: enCalls.end });
    this.pill = page.getByRole('complementary', { name: fillPlaceholders(enCalls.callWith, { name }) });
    this.cameraOn = this.controls.getByRole('button', { name: enCalls.cameraOn });
    this.microphoneOff = this.controls.getByRole('button', { name: enCalls.microphoneOff });
    this.microphoneOn = this.controls.getByRole('button', { name: enCalls.microphoneOn });
    this.disconnected = main.getByText(enCalls.disconnected);
    this.peerMuted = this.screen.getByText(fillPlaceholders(enCalls.peerMuted, { name }));
  }

  answer(how: 'answer' | 'answerVideo' | 'answerAudio' | 'decline'): Locator {
    return this.incoming.getByRole('button', { name: enCalls[how], exact: true });
  }

  /** Finds the call's path in its details. */
  path(how: 'pathDirect' | 'pathRoom'): Locator {
    return this.page.getByRole('dialog', { name: enCalls.qualityTitle }).getByText(enCalls[how]);
  }

  /** Finds a participant of a call of more than two, as this page shows them. */
  tile(name: string): Locator {
    return this.page.getByTestId('tile-camera').filter({ hasText: name });
  }

  /** Rings a contact to join the call. */
  async add(name: string): Promise<void> {
    await this.controls.getByRole('button', { name: enCalls.addPerson }).click();
    const dialog = this.page.getByRole('dialog', { name: enCalls.addTitle });
    await dialog.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: enCalls.addRing }).click();
  }

  async openDetails(): Promise<void> {
    await this.screen.getByRole('button', { name: enCalls.details }).click();
  }
}
