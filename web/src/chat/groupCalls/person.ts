/** Person as shown in lists of people. */
export interface ListedPerson {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
}
