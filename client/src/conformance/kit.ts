import { Members } from './members.ts';
import { type KitOptions, Requests } from './requests.ts';
import { Subjects } from './subjects.ts';

/** What checks are made with: the requests, the items that they are made on, and those in whose name something is saved. */
export class Kit extends Requests {
  readonly subjects: Subjects;
  readonly members: Members;

  constructor(options: KitOptions) {
    super(options);
    this.subjects = new Subjects(this);
    this.members = new Members(this);
  }
}
