/** What people are asked when they book: a custom booking field of Cal.com's. */
export interface Question {
  readonly type:
    | 'text'
    | 'textarea'
    | 'number'
    | 'phone'
    | 'address'
    | 'url'
    | 'multiemail'
    | 'select'
    | 'radio'
    | 'multiselect'
    | 'checkbox'
    | 'boolean';
  /** Names the answer. */
  readonly slug: string;
  readonly label: string;
  readonly required: boolean;
  /** Apps can answer it; the booking page doesn't show it. */
  readonly hidden: boolean;
  readonly placeholder?: string | undefined;
  /** Of select, radio, multiselect and checkbox. */
  readonly options?: readonly string[] | undefined;
}
