import { DemoRequest } from './DemoRequest.tsx';
import { Section } from './Section.tsx';
import { slot } from '#pages/slots.ts';
import { When } from '#pages/When.tsx';

/** Address and number of whoever runs the installation; one that is not configured is left out. */
export const Contact = () => (
  <Section id="contact" title="Contact" lead="A question, or a look at Cuebird together.">
    <ul className="cards contact">
      <When set="supportEmail">
        <li className="card">
          <h3>Email</h3>
          <p>
            <a href={`mailto:${slot('supportEmail')}`}>{slot('supportEmail')}</a>
          </p>
        </li>
      </When>
      <When set="supportPhone">
        <li className="card">
          <h3>Phone</h3>
          <p>
            <a href={`tel:${slot('supportPhoneDigits')}`}>{slot('supportPhone')}</a>
          </p>
        </li>
      </When>
      <li className="card">
        <h3>Schedule Demo</h3>
        <p>Tell us what you would like to see. You get an answer by mail.</p>
        <DemoRequest />
      </li>
    </ul>
  </Section>
);
