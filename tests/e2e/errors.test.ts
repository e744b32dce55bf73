import { randomPhone } from '@nolo/testing';
import type { Locator, Page, Route } from 'playwright-core';
import { ContactsPage } from './pages/ContactsPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { NamePage } from './pages/NamePage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { Shell } from './pages/Shell.ts';
import { Toasts } from './pages/Toasts.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { aSmallPicture } from './support/pictures.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en } from './support/words.ts';

const { story, openPage } = setUpJourney(getUrlWithoutServiceWorker);

interface Refusal {
  status: number;
  code?: string;
  message?: string;
  details?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** Answers a route once in place of the server. Without a refusal, the request fails in transit. */
async function once(page: Page, pattern: RegExp, refusal?: Refusal): Promise<void> {
  const answer = async (route: Route): Promise<void> => {
    if (refusal === undefined) return await route.abort('connectionrefused');
    const { status, retryAfterSeconds, code = 'internal_error', message = '', details } = refusal;
    await route.fulfill({
      status,
      contentType: 'application/json',
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
      body: JSON.stringify({ code, message, details }),
    });
  };
  await page.route(pattern, answer, { times: 1 });
}

/** Expects a failure in a form or dialog, once: no toast repeats it. */
async function seeFailure(place: Page | Locator, toasts: Toasts, title: string, text: string): Promise<void> {
  const failure = place.getByRole('alert').filter({ hasText: title });
  await waitUntilVisible(failure.getByText(text, { exact: true }));
  expect(await failure.count()).toBe(1);
  await waitUntilHidden(toasts.shown.filter({ hasText: title }));
}

/** Enters her name, which is required. */
async function nameHerself(page: Page, toasts: Toasts): Promise<void> {
  const form = new NamePage(page);
  await form.firstName.fill('  ');
  await form.continue.click();
  await waitUntilVisible(page.getByText(en.naming.firstNameRequired));
  await form.firstName.fill('Ada');
  await once(page, /\/api\/profile$/);
  await form.continue.click();
  await seeFailure(page, toasts, en.errors.updateProfile, en.errors.network);
  expect(await form.firstName.inputValue()).toBe('Ada');
  await form.continue.click();
  await waitUntilHidden(form.heading);
}

/** Adds a contact, with the catalog's texts. */
async function addContact(page: Page, toasts: Toasts): Promise<void> {
  await new Shell(page).link('contacts').click();
  const contacts = new ContactsPage(page);
  const refusedWith = async (sentence: string): Promise<void> => {
    await waitUntilVisible(contacts.dialog.getByText(sentence, { exact: true }));
    await waitUntilHidden(toasts.shown);
  };
  await waitUntilVisible(contacts.emptyTitle);
  await waitUntilHidden(toasts.shown);
  await contacts.addContact('  ');
  await refusedWith(en.refusals.phone_number_required);
  await contacts.phoneNumber.fill('12');
  await contacts.submit.click();
  await refusedWith(en.refusals.phone_number_invalid);
  await contacts.phoneNumber.fill(randomPhone());
  await once(page, /\/api\/contacts$/, { status: 500 });
  await contacts.submit.click();
  await refusedWith(en.errors.addContact);
  await once(page, /\/api\/contacts$/, { status: 409, code: 'never_heard_of', message: 'Nobody answers there.' });
  await contacts.submit.click();
  await refusedWith('Nobody answers there.');

  // A number that is not registered becomes an invitation, shown under the number.
  await contacts.submit.click();
  await waitUntilVisible(toasts.shown.getByText(en.contacts.added));
  await waitUntilVisible(page.getByText(en.contacts.notRegistered));
}

/** Changes her description, which shows immediately and is reverted if refused. */
async function describeHerself(page: Page, toasts: Toasts): Promise<void> {
  await new Shell(page).link('profile').click();
  const profile = new ProfilePage(page);
  const status = page.getByRole('textbox', { name: en.profile.statusMessage });
  const save = page.locator('form').filter({ has: status }).getByRole('button', { name: en.common.save });
  await waitUntilVisible(profile.heading);
  expect(await save.isDisabled()).toBe(true);
  await status.fill('On the hill');
  await once(page, /\/api\/profile$/, { status: 500 });
  await save.click();
  await toasts.expectShown(en.errors.updateProfile, en.errors.unexpected);
  expect(await status.inputValue()).toBe('On the hill');
  await save.click();
  await toasts.expectShown(en.profile.updated);
  await waitUntilVisible(page.getByText('On the hill').first());
  await once(page, /\/api\/profile\/privacy$/);
  expect(await profile.receipts.isChecked()).toBe(true);
  await profile.receipts.click();
  await toasts.expectShown(en.errors.updateProfile, en.errors.network);
  await waitForExpectation(async () => expect(await profile.receipts.isChecked()).toBe(true));
}

/** Changes her picture, which must be a real image. */
async function showHerself(page: Page, toasts: Toasts): Promise<void> {
  const profile = new ProfilePage(page);
  const dialog = page.getByRole('dialog', { name: en.profile.pictureTitle });
  const use = dialog.getByRole('button', { name: en.profile.usePicture });
  const problems = en.profile.pictureProblems;
  const { uploadAddress, update } = en.profile.pictureErrors;
  await profile.picture.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') });
  await toasts.expectShown(uploadAddress.title, problems.notImage);
  // The file is a picture in name only.
  await profile.picture.setInputFiles({ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('Hello') });
  await waitUntilVisible(dialog.getByText(problems.notImage));
  expect(await use.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: en.common.cancel }).click();
  await waitUntilHidden(dialog);

  await profile.picture.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: aSmallPicture() });
  await once(page, /\/api\/objects\/upload$/, { status: 500 });
  await use.click();
  await seeFailure(dialog, toasts, uploadAddress.title, uploadAddress.text);
  await once(page, /\/api\/profile\/image$/);
  await use.click();
  await seeFailure(dialog, toasts, update.title, update.text);
  await use.click();
  await toasts.expectShown(en.profile.updated);
  await waitUntilHidden(dialog);
  const shown = page.getByRole('main').locator('img[src*="/objects/"]');
  await waitUntilVisible(shown);
  await waitForExpectation(async () => {
    expect(await shown.first().evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(0);
  });

  // The picture can be removed again.
  await page.getByRole('button', { name: en.profile.changePicture }).click();
  await page.getByRole('menuitem', { name: en.profile.removePicture }).click();
  await toasts.expectShown(en.profile.updated);
  await waitUntilHidden(shown);
}

story('every refusal gives its reason, from the first name to the picture, and allows another try', async () => {
  const { page } = await openPage({ path: '/' });
  await new LandingPage(page).getStarted.click();
  await new PhoneSignInPage(page).signIn(randomPhone());
  const toasts = new Toasts(page);
  await nameHerself(page, toasts);
  await addContact(page, toasts);
  await describeHerself(page, toasts);
  await showHerself(page, toasts);
});
