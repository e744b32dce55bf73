/** As much of a person as a list of people shows. */
export interface Person {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
}
