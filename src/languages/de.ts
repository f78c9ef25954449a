import type { Translation } from '../platform/words.ts';

/**
 * The reader is “Sie”. An app is “App”, access “Zugriff”, a booking “Buchung”, an event type
 * “Termintyp”, a host “Gastgeber”, an attendee “Teilnehmer”. People “melden sich an”, approve
 * (“genehmigen”) and cancel (“absagen”).
 */
export const german = {
  // The frame of all pages:
  'Skip to content': 'Zum Inhalt springen',
  'Error:': 'Fehler:',
  'API documentation': 'API-Dokumentation',
  Language: 'Sprache',
  'Change language': 'Sprache ändern',
  'Browser’s language': 'Sprache des Browsers',
  Main: 'Hauptnavigation',
  Menu: 'Menü',
  Account: 'Konto',
  Docs: 'Dokumentation',
  'Sign in': 'Anmelden',
  'Sign out': 'Abmelden',
  'Sign out of {service}?': 'Von {service} abmelden?',
  '{app} asks you to sign out of {service}, too.': '{app} bittet Sie, sich auch von {service} abzumelden.',
  'This ends your session in this browser. Apps keep the access that you approved.':
    'Damit endet Ihre Sitzung in diesem Browser. Apps behalten den Zugriff, den Sie genehmigt haben.',
  'Stay signed in': 'Angemeldet bleiben',
  'You’re signed out': 'Sie sind abgemeldet',
  'You can close this page.': 'Sie können diese Seite schließen.',
  waiting: 'wartend',
  'Go to home': 'Zur Startseite',
  Settings: 'Einstellungen',
  'All settings': 'Alle Einstellungen',
  Admin: 'Verwaltung',
  Profile: 'Profil',
  Sessions: 'Sitzungen',
  'Account activity': 'Kontoaktivität',
  'Your data': 'Ihre Daten',
  People: 'Personen',
  Teams: 'Teams',
  Organization: 'Organisation',
  Overview: 'Übersicht',
  Accounts: 'Konten',
  'Audit log': 'Prüfprotokoll',
  'Outgoing email': 'Ausgehende E-Mails',
  Apps: 'Apps',
  Developer: 'Entwickler',
  'Connected apps': 'Verbundene Apps',
  'Your apps': 'Ihre Apps',
  Review: 'Prüfung',
  Security: 'Sicherheit',
  'Personal tokens': 'Persönliche Tokens',
  Scheduling: 'Terminplanung',
  Bookings: 'Buchungen',
  'Event types': 'Termintypen',
  Schedules: 'Zeitpläne',
  Availability: 'Verfügbarkeit',
  Calendars: 'Kalender',
  Webhooks: 'Webhooks',
  // Sign-in and sign-up:
  'Email address': 'E-Mail-Adresse',
  Password: 'Passwort',
  Name: 'Name',
  'Sign in with a passkey': 'Mit einem Passkey anmelden',
  'Forgot your password?': 'Passwort vergessen?',
  'New here?': 'Neu hier?',
  'Create an account': 'Konto erstellen',
  'Create account': 'Konto erstellen',
  'Already have an account?': 'Sie haben bereits ein Konto?',
  'The first account administers this installation: create yours now.':
    'Das erste Konto verwaltet diese Installation: Erstellen Sie jetzt Ihres.',
  'Sign-ups are closed. Ask your administrator for an account.':
    'Die Registrierung ist geschlossen. Bitten Sie Ihre Administratorin oder Ihren Administrator um ein Konto.',
  'At least 10 characters. A few random words work well.':
    'Mindestens 10 Zeichen. Ein paar zufällige Wörter eignen sich gut.',
  'Sign in to continue to {app}': 'Melden Sie sich an, um mit {app} fortzufahren',
  'Create an account to continue to {app}': 'Erstellen Sie ein Konto, um mit {app} fortzufahren',
  'Enter your password to continue to {app}': 'Geben Sie Ihr Passwort ein, um mit {app} fortzufahren',
  'Reset your password to continue to {app}': 'Setzen Sie Ihr Passwort zurück, um mit {app} fortzufahren',
  'Sign in to continue to the app.': 'Melden Sie sich an, um mit der App fortzufahren.',
  'Create an account to continue to the app.': 'Erstellen Sie ein Konto, um mit der App fortzufahren.',
  'Enter your password to continue to the app.': 'Geben Sie Ihr Passwort ein, um mit der App fortzufahren.',
  'Reset your password to continue to the app.':
    'Setzen Sie Ihr Passwort zurück, um mit der App fortzufahren.',
  'Sign in to continue.': 'Melden Sie sich an, um fortzufahren.',
  'Create an account to continue.': 'Erstellen Sie ein Konto, um fortzufahren.',
  'Enter your password to continue.': 'Geben Sie Ihr Passwort ein, um fortzufahren.',
  'Reset your password to continue.': 'Setzen Sie Ihr Passwort zurück, um fortzufahren.',
  'Sign in to answer your invitation.': 'Melden Sie sich an, um Ihre Einladung zu beantworten.',
  'Create an account to answer your invitation.':
    'Erstellen Sie ein Konto, um Ihre Einladung zu beantworten.',
  'Enter your password to answer your invitation.':
    'Geben Sie Ihr Passwort ein, um Ihre Einladung zu beantworten.',
  'Reset your password to answer your invitation.':
    'Setzen Sie Ihr Passwort zurück, um Ihre Einladung zu beantworten.',
  'You’re signed in': 'Sie sind angemeldet',
  Continue: 'Weiter',
  'Your account is suspended': 'Ihr Konto ist gesperrt',
  'An admin suspended it for this reason:': 'Es wurde von der Verwaltung aus diesem Grund gesperrt:',
  'You can’t sign in, and your apps and public pages don’t work. If you think this is a mistake, contact the people who run this service.':
    'Sie können sich nicht anmelden, und Ihre Apps und öffentlichen Seiten funktionieren nicht. Wenn Sie das für einen Irrtum halten, wenden Sie sich an die Betreiber dieses Dienstes.',
  'Incorrect email or password.': 'E-Mail-Adresse oder Passwort ist falsch.',
  'Incorrect password.': 'Das Passwort ist falsch.',
  'Too many failed sign-ins.': 'Zu viele fehlgeschlagene Anmeldungen.',
  'If you can’t wait, reset your password.': 'Wenn Sie nicht warten können, setzen Sie Ihr Passwort zurück.',
  'Try again in a minute.': 'Versuchen Sie es in einer Minute noch einmal.',
  'Try again in {minutes} {minutes|minute|minutes}.':
    'Versuchen Sie es in {minutes} {minutes|Minute|Minuten} noch einmal.',
  'An account with this email already exists. Sign in instead.':
    'Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich stattdessen an.',
  'This password is easy to guess. Use a few unrelated words, and not your email or username.':
    'Dieses Passwort ist leicht zu erraten. Verwenden Sie ein paar Wörter ohne Zusammenhang und weder Ihre E-Mail-Adresse noch Ihren Benutzernamen.',
  'Your browser didn’t keep the cookie that signs you in. Allow cookies for this site, then sign in again.':
    'Ihr Browser hat das Cookie für die Anmeldung nicht gespeichert. Erlauben Sie Cookies für diese Website und melden Sie sich dann noch einmal an.',
  'You were signed out, so this form wasn’t saved. Fill it in again.':
    'Sie wurden abgemeldet, deshalb wurde dieses Formular nicht gespeichert. Füllen Sie es bitte noch einmal aus.',
  'What you typed is kept, and sent once you’ve confirmed.':
    'Was Sie eingegeben haben, ist noch da und wird abgesendet, sobald Sie bestätigt haben.',
  'You were signed out. What you typed is kept, and sent once you’ve signed in.':
    'Sie wurden abgemeldet. Was Sie eingegeben haben, ist noch da und wird abgesendet, sobald Sie sich angemeldet haben.',
  'You are in these teams and organizations. If you don’t know one, leave it once you’re signed in: someone else may have joined it for you.':
    'Sie gehören zu diesen Teams und Organisationen. Wenn Sie etwas davon nicht kennen, verlassen Sie es nach der Anmeldung: Jemand anderes könnte für Sie beigetreten sein.',
  'You confirmed it’s you. Nothing was changed yet, so send this form again.':
    'Sie haben Ihre Identität bestätigt. Es wurde noch nichts geändert: Senden Sie dieses Formular noch einmal ab.',
  // Forgotten passwords:
  'We’ll email you a link to choose a new one.':
    'Wir senden Ihnen per E-Mail einen Link, mit dem Sie ein neues wählen.',
  'Email me a link': 'Link per E-Mail senden',
  'No mail server is set up here, so we can’t send you a link. Ask your administrator.':
    'Hier ist kein Mailserver eingerichtet, deshalb können wir Ihnen keinen Link senden. Wenden Sie sich an Ihre Administratorin oder Ihren Administrator.',
  'Back to sign in': 'Zurück zur Anmeldung',
  'Check your email': 'Sehen Sie in Ihren E-Mails nach',
  'Email isn’t set up': 'E-Mail ist nicht eingerichtet',
  'If there’s an account with this email address, we’ve sent it a link. The link works for 30 minutes.':
    'Falls es ein Konto mit dieser E-Mail-Adresse gibt, haben wir einen Link dorthin gesendet. Der Link funktioniert 30 Minuten lang.',
  'Nothing there after a few minutes? Look in your spam folder, or check the address and [try again]. You can request up to three emails every 30 minutes.':
    'Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach, oder prüfen Sie die Adresse und [versuchen Sie es noch einmal]. Sie können alle 30 Minuten bis zu drei E-Mails anfordern.',
  'Choose a new password': 'Neues Passwort wählen',
  'For the account {email}. You’ll be signed out everywhere else.':
    'Für das Konto {email}. Sie werden überall sonst abgemeldet.',
  'New password': 'Neues Passwort',
  'Keep what’s in this account': 'Inhalte dieses Kontos behalten',
  'Keep {things}': 'Behalten: {things}',
  'Otherwise {consequences}. Select this only if no one else may have used your account.':
    'Andernfalls gilt: {consequences}. Wählen Sie dies nur aus, wenn niemand sonst Ihr Konto benutzt haben kann.',
  'Someone else may have signed up with your address. Otherwise {things} end. Select this only if you created the account yourself.':
    'Möglicherweise hat sich jemand anderes mit Ihrer Adresse registriert. Wenn Sie dies nicht auswählen, endet Folgendes: {things}. Wählen Sie dies nur aus, wenn Sie das Konto selbst erstellt haben.',
  'Set new password': 'Neues Passwort festlegen',
  apps: 'Apps',
  webhooks: 'Webhooks',
  'personal tokens': 'persönliche Tokens',
  'the chosen calendar': 'ausgewählter Kalender',
  calendars: 'Kalender',
  teams: 'Teams',
  'connected apps, the account’s own apps': 'verbundene Apps, eigene Apps des Kontos',
  'open invitations of owners and admins are withdrawn':
    'offene Einladungen, Inhaber oder Admin zu werden, werden zurückgezogen',
  'every app loses its access and needs your permission again':
    'jede App verliert ihren Zugriff und braucht erneut Ihre Erlaubnis',
  'your personal tokens end': 'Ihre persönlichen Tokens werden ungültig',
  'webhooks are turned off': 'Webhooks werden ausgeschaltet',
  'bookings are no longer written to a calendar': 'Buchungen werden nicht mehr in einen Kalender eingetragen',
  'This link doesn’t work': 'Dieser Link funktioniert nicht',
  'This link has expired or was already used.': 'Dieser Link ist abgelaufen oder wurde schon verwendet.',
  'Request a new link': 'Neuen Link anfordern',
  // Verification:
  'Verify your email to continue': 'Bestätigen Sie Ihre E-Mail-Adresse, um fortzufahren',
  'We need to know that {email} is your address. Open the link that we emailed to you when you signed up, or get a new one. Then you come back to this step.':
    'Wir müssen wissen, dass {email} Ihre Adresse ist. Öffnen Sie den Link, den wir Ihnen bei der Registrierung gesendet haben, oder fordern Sie einen neuen an. Danach kommen Sie zu diesem Schritt zurück.',
  'Not your address?': 'Nicht Ihre Adresse?',
  'Change email address': 'E-Mail-Adresse ändern',
  'Verify email address': 'E-Mail-Adresse bestätigen',
  'Change your email address': 'E-Mail-Adresse ändern',
  'Verify your email address': 'E-Mail-Adresse bestätigen',
  'Send new link': 'Neuen Link senden',
  'We’ve sent a link to {email}. Open it in this browser to verify your address. It works once, for 24 hours.':
    'Wir haben einen Link an {email} gesendet. Öffnen Sie ihn in diesem Browser, um Ihre Adresse zu bestätigen. Er ist 24 Stunden gültig und funktioniert nur einmal.',
  'Nothing there after a few minutes? Look in your spam folder, or get a new link.':
    'Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach, oder fordern Sie einen neuen Link an.',
  'We’ve sent you an email. Open its link in this browser to verify your address and sign in. It works once, for 24 hours.':
    'Wir haben Ihnen eine E-Mail gesendet. Öffnen Sie den Link darin in diesem Browser, um Ihre Adresse zu bestätigen und sich anzumelden. Er ist 24 Stunden gültig und funktioniert nur einmal.',
  'Nothing there after a few minutes? Look in your spam folder, or sign in to get a new link.':
    'Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach, oder melden Sie sich an, um einen neuen Link zu erhalten.',
  'Your account will use {email}. You sign in with this address from then on.':
    'Ihr Konto verwendet künftig {email}. Ab dann melden Sie sich mit dieser Adresse an.',
  'You use {email} for your account.': 'Sie verwenden {email} für Ihr Konto.',
  'This link isn’t for the account of {email}. Sign out, and sign in with the account that asked for the link.':
    'Dieser Link gilt nicht für das Konto von {email}. Melden Sie sich ab und dann mit dem Konto an, das den Link angefordert hat.',
  'Sign in with your current address to change it to {email}.':
    'Melden Sie sich mit Ihrer bisherigen Adresse an, um sie in {email} zu ändern.',
  'If you didn’t ask for this, close this page: nothing is changed.':
    'Wenn Sie das nicht angefordert haben, schließen Sie diese Seite: Es wird nichts geändert.',
  'Sign in to verify {email}. That way nobody else can set up an account with your address.':
    'Melden Sie sich an, um {email} zu bestätigen. So kann niemand anderes ein Konto mit Ihrer Adresse einrichten.',
  'If you don’t know the password, [reset it]: this verifies your address, too. If you didn’t sign up, close this page: without you, the account can’t do anything.':
    'Wenn Sie das Passwort nicht kennen, [setzen Sie es zurück]: Auch damit wird Ihre Adresse bestätigt. Wenn Sie sich nicht registriert haben, schließen Sie diese Seite: Ohne Sie kann das Konto nichts tun.',
  'This link has expired, was already used, or was replaced by a newer one.':
    'Dieser Link ist abgelaufen, wurde schon verwendet oder durch einen neueren ersetzt.',
  'Go to your profile': 'Zu Ihrem Profil',
  // Confirmation and passkeys:
  'Confirm it’s you': 'Bestätigen Sie, dass Sie es sind',
  'You signed in a while ago. Before you {act}, enter your password again.':
    'Ihre Anmeldung liegt schon eine Weile zurück. Geben Sie Ihr Passwort noch einmal ein, um fortzufahren ({act}).',
  Confirm: 'Bestätigen',
  'Use your passkey instead': 'Stattdessen Ihren Passkey verwenden',
  'make a sensitive change': 'eine sicherheitsrelevante Änderung vornehmen',
  'give {app} full access to your account': '{app} vollen Zugriff auf Ihr Konto geben',
  'give {app} access to your account': '{app} Zugriff auf Ihr Konto geben',
  'change your email address': 'E-Mail-Adresse ändern',
  'change your password': 'Passwort ändern',
  'download your data': 'Daten herunterladen',
  'delete your account': 'Konto löschen',
  'delete an app': 'eine App löschen',
  'add a client secret': 'ein Client-Secret hinzufügen',
  'change how you sign in': 'Anmeldemethode ändern',
  'create a personal token': 'ein persönliches Token erstellen',
  'Use your passkey': 'Passkey verwenden',
  'Use passkey': 'Passkey verwenden',
  'Passkeys need JavaScript and a browser that supports them.':
    'Passkeys benötigen JavaScript und einen Browser, der sie unterstützt.',
  'Your browser didn’t use a passkey. Try again.':
    'Ihr Browser hat keinen Passkey verwendet. Versuchen Sie es noch einmal.',
  'Your password is right. Confirm with one of your passkeys.':
    'Ihr Passwort stimmt. Bestätigen Sie mit einem Ihrer Passkeys.',
  'Your browser shows the passkeys you have for {service}.':
    'Ihr Browser zeigt die Passkeys, die Sie für {service} haben.',
  'No passkey at hand?': 'Keinen Passkey zur Hand?',
  'Recovery code': 'Wiederherstellungscode',
  'You saved 10 of them when you added your first passkey.':
    'Sie haben 10 davon gespeichert, als Sie Ihren ersten Passkey hinzugefügt haben.',
  'Use recovery code': 'Wiederherstellungscode verwenden',
  'Start over': 'Von vorn beginnen',
  'Use your password instead': 'Stattdessen Ihr Passwort verwenden',
  'Enter a recovery code.': 'Geben Sie einen Wiederherstellungscode ein.',
  'This recovery code is wrong, or was used before.':
    'Dieser Wiederherstellungscode ist falsch oder wurde schon verwendet.',
  'Your browser didn’t send a passkey. Try again.':
    'Ihr Browser hat keinen Passkey gesendet. Versuchen Sie es noch einmal.',
  'This passkey didn’t work. Try again, or use another one.':
    'Dieser Passkey hat nicht funktioniert. Versuchen Sie es noch einmal, oder verwenden Sie einen anderen.',
  'Your password alone doesn’t sign you in': 'Ihr Passwort allein reicht zur Anmeldung nicht aus',
  'Your account has a passkey, and this service has turned passkeys off. Ask the people who run it to turn them on again, or to remove your passkeys.':
    'Ihr Konto hat einen Passkey, aber dieser Dienst hat Passkeys ausgeschaltet. Bitten Sie die Betreiber, sie wieder einzuschalten oder Ihre Passkeys zu entfernen.',
  // The frame of all emails:
  'You get this email because of your {app} account. If you didn’t expect it, sign in and look at your settings.':
    'Sie erhalten diese E-Mail wegen Ihres Kontos bei {app}. Wenn Sie sie nicht erwartet haben, melden Sie sich an und sehen Sie in Ihren Einstellungen nach.',
  'Or open': 'Oder öffnen Sie',
  // Booking pages:
  '{hours} {hours|hour|hours}': '{hours} {hours|Stunde|Stunden}',
  '{minutes} {minutes|minute|minutes}': '{minutes} {minutes|Minute|Minuten}',
  '{hours} {minutes}': '{hours} {minutes}',
  '{kind}: {place}': '{kind}: {place}',
  '{label} (optional)': '{label} (optional)',
  '{event} with {names}': '{event} mit {names}',
  '{event} between {hosts} and {attendee}': '{event} zwischen {hosts} und {attendee}',
  'one of {names}': 'eine dieser Personen ({names})',
  '{count} {count|other|others}': '{count} {count|weitere Person|weitere Personen}',
  'The host confirms each booking': 'Der Gastgeber bestätigt jede Buchung',
  'The host will tell you where': 'Der Gastgeber teilt Ihnen den Ort mit',
  'Book {name}': 'Termin mit {name} buchen',
  'Choose an event type and a time that suits you.': 'Wählen Sie einen Termintyp und eine passende Uhrzeit.',
  'Choose an event type to book.': 'Wählen Sie einen Termintyp, um zu buchen.',
  Length: 'Dauer',
  'No event types yet': 'Noch keine Termintypen',
  'People can book {team} here once it has an event type. Until then, only members see this page.':
    'Sobald {team} einen Termintyp hat, kann das Team hier gebucht werden. Bis dahin sehen nur Mitglieder diese Seite.',
  'Create event type': 'Termintyp erstellen',
  'View team': 'Team ansehen',
  'Event type not found': 'Termintyp nicht gefunden',
  'The link may be wrong, or its host removed this event type.':
    'Der Link ist möglicherweise falsch, oder der Gastgeber hat diesen Termintyp entfernt.',
  'See what {name} offers': 'Angebot von {name} ansehen',
  'Time zone': 'Zeitzone',
  'Change time zone': 'Zeitzone ändern',
  Months: 'Monate',
  'Days with available times in {month}': 'Tage mit freien Terminen im {month}',
  today: 'heute',
  '{count} {count|time|times}': '{count} {count|freier Termin|freie Termine}',
  'No times are available.': 'Es sind keine Termine frei.',
  'We can’t load available times right now. Try again in a few minutes.':
    'Die freien Termine können gerade nicht geladen werden. Versuchen Sie es in ein paar Minuten noch einmal.',
  'The host’s calendar can’t be read, so nobody can book at the moment. We’ve told the host.':
    'Der Kalender des Gastgebers kann nicht gelesen werden, deshalb kann derzeit niemand buchen. Wir haben den Gastgeber informiert.',
  'Try again': 'Erneut versuchen',
  'No times available in {month}.': 'Im {month} sind keine Termine frei.',
  'View {month}': '{month} ansehen',
  'Later months can’t be booked yet.': 'Spätere Monate können noch nicht gebucht werden.',
  'No times available on this day. Choose another one.':
    'An diesem Tag sind keine Termine frei. Wählen Sie einen anderen.',
  Times: 'Uhrzeiten',
  'Choose a day to see available times.': 'Wählen Sie einen Tag, um die freien Termine zu sehen.',
  'No times this month.': 'Keine Termine in diesem Monat.',
  'We don’t know that time zone. Times are shown in {zone}.':
    'Diese Zeitzone kennen wir nicht. Die Uhrzeiten gelten für {zone}.',
  'That day can’t be booked. Choose another one.':
    'Dieser Tag kann nicht gebucht werden. Wählen Sie einen anderen.',
  'Choose another time': 'Anderen Termin wählen',
  'Choose another day': 'Anderen Tag wählen',
  'Other times on this day': 'Andere Uhrzeiten an diesem Tag',
  'No other times on this day.': 'An diesem Tag sind keine anderen Termine frei.',
  'Book this time': 'Diesen Termin buchen',
  'Request this time': 'Diesen Termin anfragen',
  'We’ll send your confirmation and a link to reschedule or cancel.':
    'Wir senden Ihnen eine Bestätigung und einen Link zum Verschieben oder Absagen.',
  'Visible to the host. This server can’t send email.':
    'Für den Gastgeber sichtbar. Dieser Server kann keine E-Mails senden.',
  'Visible to the host.': 'Für den Gastgeber sichtbar.',
  'Notes (optional)': 'Anmerkungen (optional)',
  'Guests (optional)': 'Gäste (optional)',
  'Reason (optional)': 'Grund (optional)',
  'Email addresses, one per line.': 'E-Mail-Adressen, eine pro Zeile.',
  'Email addresses, one per line, up to 10.': 'Bis zu 10 E-Mail-Adressen, eine pro Zeile.',
  'Email addresses, one per line, up to 10. Guests are notified.':
    'Bis zu 10 E-Mail-Adressen, eine pro Zeile. Gäste werden benachrichtigt.',
  Where: 'Ort',
  'Where: {place}': 'Ort: {place}',
  'Choose where.': 'Wählen Sie einen Ort.',
  'In person': 'Vor Ort',
  Online: 'Online',
  'Phone call': 'Telefongespräch',
  'At your address': 'An Ihrer Adresse',
  'Phone call to your number': 'Anruf unter Ihrer Nummer',
  'At a place you choose': 'An einem Ort Ihrer Wahl',
  'Your address': 'Ihre Adresse',
  'Your phone number': 'Ihre Telefonnummer',
  Place: 'Ort',
  'Your address, phone number or place': 'Ihre Adresse, Telefonnummer oder Ihr Ort',
  'Needed for: {places}.': 'Erforderlich für: {places}.',
  'Enter your address.': 'Geben Sie Ihre Adresse ein.',
  'Enter a phone number such as +49 30 123456.': 'Geben Sie eine Telefonnummer wie +49 30 123456 ein.',
  'Enter a place.': 'Geben Sie einen Ort ein.',
  'Choose…': 'Auswählen …',
  Yes: 'Ja',
  'Too many bookings from your network. Try again in a minute.':
    'Zu viele Buchungen aus Ihrem Netzwerk. Versuchen Sie es in einer Minute noch einmal.',
  'We can’t check available times right now. Try again in a minute.':
    'Die freien Termine können gerade nicht geprüft werden. Versuchen Sie es in einer Minute noch einmal.',
  'This host can’t take more bookings today. Try again tomorrow.':
    'Dieser Gastgeber kann heute keine weiteren Buchungen annehmen. Versuchen Sie es morgen noch einmal.',
  'This time is no longer available. Choose another one.':
    'Dieser Termin ist nicht mehr frei. Wählen Sie einen anderen.',
  'This time is no longer available. Choose another one. If you just booked it, you’re all set.':
    'Dieser Termin ist nicht mehr frei. Wählen Sie einen anderen. Wenn Sie ihn gerade selbst gebucht haben, ist alles erledigt.',
  'You already made a booking with this form. To make another one, choose another time.':
    'Mit diesem Formular haben Sie bereits gebucht. Für eine weitere Buchung wählen Sie einen anderen Termin.',
  Booked: 'Gebucht',
  Pending: 'Ausstehend',
  Past: 'Vergangen',
  Rescheduled: 'Verschoben',
  Cancelled: 'Abgesagt',
  Declined: 'Abgelehnt',
  'You’re booked.': 'Ihr Termin ist gebucht.',
  'The host still has to confirm this booking.': 'Der Gastgeber muss diese Buchung noch bestätigen.',
  'This booking is over and can’t be changed.':
    'Diese Buchung liegt in der Vergangenheit und kann nicht mehr geändert werden.',
  'This booking was never confirmed, and its time is over.':
    'Diese Buchung wurde nie bestätigt, und ihr Termin ist vorbei.',
  'This booking was rescheduled.': 'Diese Buchung wurde verschoben.',
  'This booking was cancelled.': 'Diese Buchung wurde abgesagt.',
  'The host declined this booking.': 'Der Gastgeber hat diese Buchung abgelehnt.',
  With: 'Mit',
  Join: 'Teilnehmen',
  'Booked by': 'Gebucht von',
  Guests: 'Gäste',
  Notes: 'Anmerkungen',
  Reason: 'Grund',
  'Reason for rescheduling': 'Grund für die Verschiebung',
  'Rescheduled from {time}.': 'Bisheriger Termin: {time}.',
  'New time:': 'Neuer Termin:',
  'Add to calendar:': 'Zum Kalender hinzufügen:',
  '.ics file': '.ics-Datei',
  'We sent a confirmation to {email}. Use the link in it to come back to this page.':
    'Wir haben eine Bestätigung an {email} gesendet. Über den Link darin kommen Sie auf diese Seite zurück.',
  'We sent the details to {email}. Use the link in it to come back to this page.':
    'Wir haben die Einzelheiten an {email} gesendet. Über den Link darin kommen Sie auf diese Seite zurück.',
  'This server can’t send email. Save the address of this page to come back.':
    'Dieser Server kann keine E-Mails senden. Speichern Sie die Adresse dieser Seite, um zurückzukommen.',
  Reschedule: 'Verschieben',
  'Cancel booking': 'Buchung absagen',
  'Keep booking': 'Buchung behalten',
  'Book another time': 'Anderen Termin buchen',
  'Join the meeting': 'Am Treffen teilnehmen',
  'Link set by': 'Link von',
  'Leads to': 'Führt zu',
  'That site isn’t part of {app}. Never enter your {app} password there.':
    'Diese Website gehört nicht zu {app}. Geben Sie dort nie Ihr {app}-Passwort ein.',
  'Continue to {host}': 'Weiter zu {host}',
  'This meeting doesn’t take place': 'Dieses Treffen findet nicht statt',
  'It’s over, or it was cancelled or rescheduled. A newer email has the new time and link.':
    'Es ist vorbei oder wurde abgesagt oder verschoben. Den neuen Termin und Link finden Sie in einer neueren E-Mail.',
  'Cancel this booking?': 'Diese Buchung absagen?',
  'All attendees will be notified and the time reopens.':
    'Alle Teilnehmer werden benachrichtigt, und der Termin wird wieder frei.',
  'The time reopens. This server can’t send email, so nobody is notified.':
    'Der Termin wird wieder frei. Dieser Server kann keine E-Mails senden, deshalb wird niemand benachrichtigt.',
  'Reschedule: {title}': 'Verschieben: {title}',
  'Reschedule booking': 'Buchung verschieben',
  'Your booking': 'Ihre Buchung',
  'Choose a new time': 'Neuen Termin wählen',
  'Currently {time}': 'Bisher {time}',
  '{title}, currently {time}': '{title}, bisher {time}',
  'Reschedule to this time?': 'Auf diesen Termin verschieben?',
  'The host has to confirm the new time. The current time is released immediately.':
    'Der Gastgeber muss den neuen Termin bestätigen. Der bisherige wird sofort frei.',
  'Keep current time': 'Bisherigen Termin behalten',
  'Enter a name without web addresses.': 'Geben Sie einen Namen ohne Webadressen ein.',
  'Enter text.': 'Geben Sie einen Text ein.',
  'Enter up to {number} guests.': 'Geben Sie höchstens {number} Gäste ein.',
  '“{text}” isn’t a valid email address. Enter one per line.':
    '„{text}“ ist keine gültige E-Mail-Adresse. Geben Sie eine pro Zeile ein.',
  'Shorten this text.': 'Kürzen Sie diesen Text.',
  'Check this box.': 'Aktivieren Sie dieses Kästchen.',
  'Choose an option.': 'Wählen Sie eine Option.',
  'Answer this question.': 'Beantworten Sie diese Frage.',
  'Enter email addresses, one per line.': 'Geben Sie E-Mail-Adressen ein, eine pro Zeile.',
  'Choose from the options.': 'Wählen Sie aus den Optionen.',
  'Choose one of the options.': 'Wählen Sie eine der Optionen.',
  'Enter a number.': 'Geben Sie eine Zahl ein.',
  'Enter a phone number.': 'Geben Sie eine Telefonnummer ein.',
  'Enter a link that begins with https://.': 'Geben Sie einen Link ein, der mit https:// beginnt.',
  // Booking emails:
  '{subject}: {title}, {time}': '{subject}: {title}, {time}',
  'This booking is confirmed.': 'Diese Buchung ist bestätigt.',
  'Your request was sent. We’ll email you when the host confirms or declines it.':
    'Ihre Anfrage wurde gesendet. Wir schreiben Ihnen, sobald der Gastgeber sie bestätigt oder ablehnt.',
  'New request': 'Neue Anfrage',
  'Someone wants to book this time with you. Confirm or decline it.':
    'Jemand möchte diesen Termin mit Ihnen buchen. Bestätigen Sie ihn, oder lehnen Sie ihn ab.',
  'Rescheduled by': 'Verschoben von',
  'Rescheduled and confirmed': 'Verschoben und bestätigt',
  'This booking was rescheduled and is confirmed.': 'Diese Buchung wurde verschoben und ist bestätigt.',
  'New time pending': 'Neuer Termin ausstehend',
  'You rescheduled this booking. The host has to confirm the new time; the previous time was released.':
    'Sie haben diese Buchung verschoben. Der Gastgeber muss den neuen Termin bestätigen; der bisherige ist wieder frei.',
  'New time requested': 'Neuer Termin angefragt',
  'The attendee rescheduled this booking. Confirm or decline the new time; the previous time is free again.':
    'Der Teilnehmer hat diese Buchung verschoben. Bestätigen Sie den neuen Termin, oder lehnen Sie ihn ab; der bisherige ist wieder frei.',
  'No longer at this time': 'Nicht mehr zu dieser Zeit',
  'This booking no longer takes place at this time. If the host confirms a new time, we’ll email you.':
    'Diese Buchung findet nicht mehr zu dieser Zeit statt. Wenn der Gastgeber einen neuen Termin bestätigt, schreiben wir Ihnen.',
  Confirmed: 'Bestätigt',
  'The host confirmed this booking.': 'Der Gastgeber hat diese Buchung bestätigt.',
  'Cancelled by': 'Abgesagt von',
  'New host': 'Neuer Gastgeber',
  'This booking has a new host.': 'Diese Buchung hat einen neuen Gastgeber.',
  'This booking has a new host, who still has to confirm it.':
    'Diese Buchung hat einen neuen Gastgeber, der sie noch bestätigen muss.',
  'Assigned to you': 'Ihnen zugewiesen',
  'You now host this booking.': 'Sie sind jetzt Gastgeber dieser Buchung.',
  'You now host this booking. Confirm or decline it.':
    'Sie sind jetzt Gastgeber dieser Buchung. Bestätigen Sie sie, oder lehnen Sie sie ab.',
  Reassigned: 'Neu zugewiesen',
  'This booking was reassigned to another host.': 'Diese Buchung wurde einem anderen Gastgeber zugewiesen.',
  'View booking': 'Buchung ansehen',
  'Confirm or decline booking': 'Buchung bestätigen oder ablehnen',
  'Reschedule or cancel booking': 'Buchung verschieben oder absagen',
  'You received this email because someone made a booking with this address. If it wasn’t you, ignore this email.':
    'Sie erhalten diese E-Mail, weil jemand mit dieser Adresse gebucht hat. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
  'You received this email because someone made a booking with this address. If it wasn’t you, use the link to cancel it.':
    'Sie erhalten diese E-Mail, weil jemand mit dieser Adresse gebucht hat. Wenn Sie das nicht waren, sagen Sie die Buchung über den Link ab.',
  'You received this email because someone added you as a guest. If you don’t know why, ignore it.':
    'Sie erhalten diese E-Mail, weil jemand Sie als Gast hinzugefügt hat. Wenn Sie nicht wissen, warum, ignorieren Sie sie.',
  'the rest is on the booking’s page': 'der Rest steht auf der Seite der Buchung',
  'the host': 'Gastgeber',
  '{name} (attendee)': '{name} (Teilnehmer)',
  What: 'Was',
  'Previous time': 'Bisheriger Termin',
  'The address you entered': 'Die Adresse, die Sie eingegeben haben',
  'The phone number you entered': 'Die Telefonnummer, die Sie eingegeben haben',
  'The place you entered': 'Der Ort, den Sie eingegeben haben',
  // What is wrong with a form:
  'Enter an email address.': 'Geben Sie eine E-Mail-Adresse ein.',
  'Enter a valid email address.': 'Geben Sie eine gültige E-Mail-Adresse ein.',
  'Use an address without “+” and 25 letters or digits before the @.':
    'Verwenden Sie eine Adresse, in der vor dem @ kein „+“ mit 25 Buchstaben oder Ziffern steht.',
  'Enter a password.': 'Geben Sie ein Passwort ein.',
  'Enter your password.': 'Geben Sie Ihr Passwort ein.',
  'Enter your name.': 'Geben Sie Ihren Namen ein.',
  'Use at least {number} characters.': 'Verwenden Sie mindestens {number} Zeichen.',
  'Use at most {number} characters.': 'Verwenden Sie höchstens {number} Zeichen.',
  'The NUL character isn’t allowed.': 'Das NUL-Zeichen ist nicht erlaubt.',
  'Line breaks and control characters aren’t allowed.':
    'Zeilenumbrüche und Steuerzeichen sind nicht erlaubt.',
  'Control characters aren’t allowed.': 'Steuerzeichen sind nicht erlaubt.',
  'Remove characters that change the text direction.': 'Entfernen Sie Zeichen, die die Textrichtung ändern.',
  'Use visible characters.': 'Verwenden Sie sichtbare Zeichen.',
  // Consent:
  'Allow {app}?': '{app} zulassen?',
  '{app} wants access to your {service} account': '{app} möchte Zugriff auf Ihr {service}-Konto',
  'Sign in to {app}': 'Bei {app} anmelden',
  'No website given': 'Keine Website angegeben',
  'Reviewed by {service}': 'Von {service} geprüft',
  'You approved this app on {date}.': 'Sie haben diese App am {date} genehmigt.',
  'It’s asking for different permissions this time.': 'Diesmal bittet sie um andere Berechtigungen.',
  'Signed in as': 'Angemeldet als',
  'Use another account': 'Anderes Konto verwenden',
  '{app} asks you to sign in as {email}.': '{app} bittet Sie, sich als {email} anzumelden.',
  '{app} asks you to sign in with another account.':
    '{app} bittet Sie, sich mit einem anderen Konto anzumelden.',
  'You’re signed in as {email}.': 'Sie sind als {email} angemeldet.',
  'Back to the app': 'Zurück zur App',
  'It gets access to the team {team}.': 'Sie erhält Zugriff auf das Team {team}.',
  'Access to': 'Zugriff auf',
  '{name} (you)': '{name} (Sie)',
  '{name} (team)': '{name} (Team)',
  '{app} will be able to:': '{app} wird Folgendes können:',
  '{app} won’t be able to:': '{app} wird Folgendes nicht können:',
  Read: 'Lesen',
  New: 'Neu',
  'Read and change': 'Lesen und ändern',
  'This includes the teams that you manage: {teams}.':
    'Das gilt auch für die Teams, die Sie verwalten: {teams}.',
  'Remove access anytime in Settings → Connected apps.':
    'Sie können den Zugriff jederzeit entfernen: unter Einstellungen → Verbundene Apps.',
  'This access is for {resources}.': 'Dieser Zugriff gilt für {resources}.',
  'your account': 'Ihr Konto',
  'Don’t ask again for {app}': 'Bei {app} nicht noch einmal fragen',
  'You’ll be redirected to {host}': 'Sie werden zu {host} weitergeleitet',
  'You’ll be redirected to an app on this device: {host}':
    'Sie werden zu einer App auf diesem Gerät weitergeleitet: {host}',
  'You’ll be redirected to an app on this device: {host}. Allow it only if you started it yourself.':
    'Sie werden zu einer App auf diesem Gerät weitergeleitet: {host}. Lassen Sie sie nur zu, wenn Sie sie selbst gestartet haben.',
  Deny: 'Ablehnen',
  Allow: 'Zulassen',
  'Opening {app}…': '{app} wird geöffnet …',
  'You can close this page once it’s open.': 'Sie können diese Seite schließen, sobald die App geöffnet ist.',
  'You’ve already allowed this': 'Sie haben dies bereits zugelassen',
  'The app has the access that you approved. Go back to the app.':
    'Die App hat den Zugriff, den Sie genehmigt haben. Gehen Sie zur App zurück.',
  'View connected apps': 'Verbundene Apps ansehen',
  'This page has expired': 'Diese Seite ist abgelaufen',
  'It was opened too long ago or already used, or you’ve signed in again since. Your click changed nothing.':
    'Sie wurde vor zu langer Zeit geöffnet oder schon verwendet, oder Sie haben sich seitdem neu angemeldet. Ihr Klick hat nichts geändert.',
  'View the request again': 'Anfrage noch einmal ansehen',
  'Invalid request': 'Ungültige Anfrage',
  'Part of the address is repeated, too long or damaged.':
    'Ein Teil der Adresse ist doppelt, zu lang oder beschädigt.',
  'Go back to the app and try again. If it keeps happening, contact the developer.':
    'Gehen Sie zur App zurück und versuchen Sie es noch einmal. Wenn es wieder passiert, wenden Sie sich an die Entwickler.',
  'Unknown app': 'Unbekannte App',
  'The address names no registered app.': 'Die Adresse nennt keine registrierte App.',
  'This app isn’t available': 'Diese App ist nicht verfügbar',
  'It isn’t approved at the moment.': 'Sie ist derzeit nicht genehmigt.',
  'Contact the developer.': 'Wenden Sie sich an die Entwickler.',
  'Incomplete request': 'Unvollständige Anfrage',
  'It doesn’t say where to send you afterwards.':
    'Sie gibt nicht an, wohin Sie danach weitergeleitet werden sollen.',
  'The redirect URI doesn’t match': 'Die Redirect-URI stimmt nicht überein',
  'The app asked to send you to an address that it hasn’t registered.':
    'Die App wollte Sie an eine Adresse weiterleiten, die sie nicht registriert hat.',
  'Your click changed nothing.': 'Ihr Klick hat nichts geändert.',
  'Nothing was shared.': 'Es wurde nichts weitergegeben.',
  'Is it your app? Sign in with the account that registered it and open this address again to see what to fix.':
    'Ist es Ihre App? Melden Sie sich mit dem Konto an, das sie registriert hat, und öffnen Sie diese Adresse noch einmal, um zu sehen, was zu beheben ist.',
  'Building this app? Send each parameter once, in UTF-8, with at most 2,048 characters (state: 4,096).':
    'Entwickeln Sie diese App? Senden Sie jeden Parameter einmal, in UTF-8, mit höchstens 2.048 Zeichen (state: 4.096).',
  'Building this app? Check that client_id is the client ID on your app’s page, or the full https address of its metadata document.':
    'Entwickeln Sie diese App? Prüfen Sie, ob client_id die Client-ID von der Seite Ihrer App ist oder die vollständige https-Adresse ihres Metadatendokuments.',
  'Building this app? Check that client_id is the client ID on your app’s page.':
    'Entwickeln Sie diese App? Prüfen Sie, ob client_id die Client-ID von der Seite Ihrer App ist.',
  'This is your app: {app}': 'Das ist Ihre App: {app}',
  'Your app is in review. Users can’t connect it until it’s approved.':
    'Ihre App wird geprüft. Bis sie genehmigt ist, kann niemand sie verbinden.',
  'Your app isn’t approved. Its page says why, and how to resubmit it.':
    'Ihre App ist nicht genehmigt. Auf ihrer Seite steht, warum, und wie Sie sie noch einmal einreichen.',
  'View app': 'App ansehen',
  'Redirect URI in this request:': 'Redirect-URI in dieser Anfrage:',
  'None.': 'Keine.',
  'Registered redirect URIs (send one of them, character for character):':
    'Registrierte Redirect-URIs (senden Sie eine davon, Zeichen für Zeichen):',
  'Edit app': 'App bearbeiten',
  // Permissions, which are said with the care of a contract:
  'Use your account to sign you in': 'Ihr Konto verwenden, um Sie anzumelden',
  'Use your account to sign you in, and see your name, email address, username, time zone and language, and when they last changed':
    'Ihr Konto verwenden, um Sie anzumelden, und Ihren Namen, Ihre E-Mail-Adresse, Ihren Benutzernamen, Ihre Zeitzone und Ihre Sprache sehen, und wann sie zuletzt geändert wurden',
  'Use your account to sign you in, and see your email address':
    'Ihr Konto verwenden, um Sie anzumelden, und Ihre E-Mail-Adresse sehen',
  'Use your account to sign you in, and see your name, username, time zone and language, and when they last changed':
    'Ihr Konto verwenden, um Sie anzumelden, und Ihren Namen, Ihren Benutzernamen, Ihre Zeitzone und Ihre Sprache sehen, und wann sie zuletzt geändert wurden',
  'See your password, or change how you sign in': 'Ihr Passwort sehen oder ändern, wie Sie sich anmelden',
  'Change your email address, your teams or your other apps':
    'Ihre E-Mail-Adresse, Ihre Teams oder Ihre anderen Apps ändern',
  'See your name, email address, username and time zone, and your teams with their members':
    'Ihren Namen, Ihre E-Mail-Adresse, Ihren Benutzernamen und Ihre Zeitzone sowie Ihre Teams mit deren Mitgliedern sehen',
  'See your name, email address, username and time zone, and the members of the team':
    'Ihren Namen, Ihre E-Mail-Adresse, Ihren Benutzernamen und Ihre Zeitzone sowie die Mitglieder des Teams sehen',
  'See or change your profile, or see your teams': 'Ihr Profil sehen oder ändern oder Ihre Teams sehen',
  'Change your profile, or see your teams': 'Ihr Profil ändern oder Ihre Teams sehen',
  'See or change your own bookings, schedules and calendars':
    'Ihre eigenen Buchungen, Zeitpläne und Kalender sehen oder ändern',
  'See your profile with your email address, and your teams with their members; change your name, time zone, default schedule and how times are shown':
    'Ihr Profil mit Ihrer E-Mail-Adresse und Ihre Teams mit deren Mitgliedern sehen; Ihren Namen, Ihre Zeitzone, Ihren Standard-Zeitplan und die Anzeige von Uhrzeiten ändern',
  'Change your name, time zone or default schedule':
    'Ihren Namen, Ihre Zeitzone oder Ihren Standard-Zeitplan ändern',
  'See your event types': 'Ihre Termintypen sehen',
  'See, create, change and delete the event types of the team':
    'Die Termintypen des Teams sehen, erstellen, ändern und löschen',
  'See the event types of the team': 'Die Termintypen des Teams sehen',
  'See or change your event types': 'Ihre Termintypen sehen oder ändern',
  'See, create, change and delete your event types': 'Ihre Termintypen sehen, erstellen, ändern und löschen',
  'Change your event types': 'Ihre Termintypen ändern',
  'See your bookings, with the names, email addresses and answers of people who book you':
    'Ihre Buchungen sehen, mit Namen, E-Mail-Adressen und Antworten der Personen, die bei Ihnen buchen',
  'See or change your bookings': 'Ihre Buchungen sehen oder ändern',
  'See, create, change and cancel the bookings of the team, with the names, email addresses and answers of people who book it':
    'Die Buchungen des Teams sehen, erstellen, ändern und absagen, mit Namen, E-Mail-Adressen und Antworten der Personen, die es buchen',
  'See the bookings of the team, with the names, email addresses and answers of people who book it':
    'Die Buchungen des Teams sehen, mit Namen, E-Mail-Adressen und Antworten der Personen, die es buchen',
  'See, create, change and cancel your bookings, with the names, email addresses and answers of people who book you':
    'Ihre Buchungen sehen, erstellen, ändern und absagen, mit Namen, E-Mail-Adressen und Antworten der Personen, die bei Ihnen buchen',
  'Create, change or cancel bookings': 'Buchungen erstellen, ändern oder absagen',
  'See your schedules, connected calendars and when you are busy in them':
    'Ihre Zeitpläne, Ihre verbundenen Kalender und Ihre belegten Zeiten darin sehen',
  'See the working hours of the members of the team': 'Die Arbeitszeiten der Mitglieder des Teams sehen',
  'See or change your schedules and connected calendars':
    'Ihre Zeitpläne und verbundenen Kalender sehen oder ändern',
  'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them':
    'Ihre Zeitpläne sehen, erstellen, ändern und löschen, Kalender verbinden und trennen und Ihre belegten Zeiten darin sehen',
  'Change your schedules, connect or disconnect calendars':
    'Ihre Zeitpläne ändern, Kalender verbinden oder trennen',
  'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go':
    'Ihre Zeitpläne sehen, erstellen, ändern und löschen, Kalender verbinden und trennen, belegte Zeiten sehen und wählen, wohin Buchungen eingetragen werden',
  'See your webhooks, and what was sent to them': 'Ihre Webhooks sehen und was an sie gesendet wurde',
  'See, create, change and delete webhooks of the team, which send its bookings to other services':
    'Webhooks des Teams, die dessen Buchungen an andere Dienste senden, sehen, erstellen, ändern und löschen',
  'See the webhooks of the team, and what was sent to them':
    'Die Webhooks des Teams sehen und was an sie gesendet wurde',
  'See or change your webhooks': 'Ihre Webhooks sehen oder ändern',
  'See, create, change and delete your webhooks, which send your bookings to other services':
    'Ihre Webhooks, die Ihre Buchungen an andere Dienste senden, sehen, erstellen, ändern und löschen',
  'Create, change or delete webhooks': 'Webhooks erstellen, ändern oder löschen',
  // Connected apps:
  'Remove all access': 'Gesamten Zugriff entfernen',
  'These apps have access to your account. You can remove it anytime, with immediate effect.':
    'Diese Apps haben Zugriff auf Ihr Konto. Sie können ihn jederzeit mit sofortiger Wirkung entfernen.',
  'No connected apps': 'Keine verbundenen Apps',
  'Apps you approve appear here.': 'Hier erscheinen Apps, die Sie genehmigen.',
  'This app isn’t currently approved by our reviewers. It can’t use your account until it is.':
    'Diese App ist derzeit nicht von unseren Prüfern genehmigt. Solange das so ist, kann sie Ihr Konto nicht verwenden.',
  'Team {team}': 'Team {team}',
  'Your account': 'Ihr Konto',
  'Connected since {date}, last active {moment}': 'Verbunden seit dem {date}, zuletzt aktiv: {moment}',
  'You no longer manage this team, so the app can’t access it.':
    'Sie verwalten dieses Team nicht mehr, deshalb hat die App keinen Zugriff darauf.',
  'It can': 'Die App kann',
  'Nothing: the app no longer uses the permissions that you approved':
    'Nichts: Die App verwendet die von Ihnen genehmigten Berechtigungen nicht mehr',
  'For {resources}': 'Für {resources}',
  'Not connected at the moment.': 'Derzeit nicht verbunden.',
  'It can connect to the team {team} without asking you. You chose this on {date}.':
    'Sie kann sich mit dem Team {team} verbinden, ohne Sie zu fragen. Das haben Sie am {date} gewählt.',
  'It can connect to your account without asking you. You chose this on {date}.':
    'Sie kann sich mit Ihrem Konto verbinden, ohne Sie zu fragen. Das haben Sie am {date} gewählt.',
  'Ask me every time': 'Jedes Mal fragen',
  'Remove access': 'Zugriff entfernen',
  'for {app}': 'für {app}',
  Previous: 'Zurück',
  Next: 'Weiter',
  Pages: 'Seiten',
  'No apps have access to your account.': 'Keine App hat Zugriff auf Ihr Konto.',
  '{count} {count|app has|apps have} access to your account. If you remove it:':
    '{count} {count|App hat|Apps haben} Zugriff auf Ihr Konto. Wenn Sie ihn entfernen:',
  'No app can use your account or your teams, effective immediately.':
    'Ab sofort kann keine App mehr Ihr Konto oder Ihre Teams verwenden.',
  'Apps will need your permission again.': 'Apps brauchen erneut Ihre Erlaubnis.',
  'Your own tokens for the API end, too.': 'Auch Ihre eigenen Tokens für die API werden ungültig.',
  'Anything that they created stays.': 'Alles, was sie erstellt haben, bleibt bestehen.',
  Cancel: 'Abbrechen',
  'Access removed. The app can no longer use your account.':
    'Zugriff entfernt. Die App kann Ihr Konto nicht mehr verwenden.',
  'All access removed. No app can use your account.':
    'Gesamter Zugriff entfernt. Keine App kann Ihr Konto verwenden.',
  'The app will ask you every time from now on.': 'Die App fragt Sie ab jetzt jedes Mal.',
  // Emails of accounts and consent:
  'Unknown browser': 'Unbekannter Browser',
  '{browser} on {system}': '{browser} unter {system}',
  'You get this email because someone entered your address on our site.':
    'Sie erhalten diese E-Mail, weil jemand Ihre Adresse auf unserer Website eingegeben hat.',
  'Someone uses this email address for an account. If it was you:':
    'Jemand verwendet diese E-Mail-Adresse für ein Konto. Wenn Sie das waren:',
  'The link works once, for 24 hours. If it wasn’t you, ignore this email: the account can’t do anything with your address.':
    'Der Link ist 24 Stunden gültig und funktioniert nur einmal. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Das Konto kann mit Ihrer Adresse nichts tun.',
  'You already have an account': 'Sie haben bereits ein Konto',
  'Someone tried to sign up with your email address. You already have an account with it.':
    'Jemand wollte sich mit Ihrer E-Mail-Adresse registrieren. Sie haben damit bereits ein Konto.',
  'If this was you, sign in, or reset your password. If it wasn’t, no action is needed: nothing was changed.':
    'Wenn Sie das waren, melden Sie sich an oder setzen Sie Ihr Passwort zurück. Andernfalls müssen Sie nichts tun: Es wurde nichts geändert.',
  'Reset password': 'Passwort zurücksetzen',
  'Your email address already has an account': 'Für Ihre E-Mail-Adresse gibt es bereits ein Konto',
  'Someone tried to sign up with your email address. It already has an account, which was never verified.':
    'Jemand wollte sich mit Ihrer E-Mail-Adresse registrieren. Dafür gibt es bereits ein Konto, das nie bestätigt wurde.',
  'To use that account, reset its password: this verifies your address and signs everyone else out. If you didn’t sign up, no action is needed.':
    'Um dieses Konto zu verwenden, setzen Sie sein Passwort zurück: Damit wird Ihre Adresse bestätigt, und alle anderen werden abgemeldet. Wenn Sie sich nicht registriert haben, müssen Sie nichts tun.',
  'Confirm your new email address': 'Bestätigen Sie Ihre neue E-Mail-Adresse',
  'Someone wants to use this email address for their account. If it was you:':
    'Jemand möchte diese E-Mail-Adresse für sein Konto verwenden. Wenn Sie das waren:',
  'The link works once, for 24 hours, where you’re signed in. If it wasn’t you, ignore this email: nothing is changed.':
    'Der Link ist 24 Stunden gültig und funktioniert nur einmal, und zwar dort, wo Sie angemeldet sind. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Es wird nichts geändert.',
  'Someone tried to use your email address': 'Jemand wollte Ihre E-Mail-Adresse verwenden',
  'Someone tried to change the email address of their account to yours. It belongs to another account, so nothing was changed, and they were not told why.':
    'Jemand wollte die E-Mail-Adresse seines Kontos in Ihre ändern. Ihre Adresse gehört zu einem anderen Konto, deshalb wurde nichts geändert; den Grund hat die Person nicht erfahren.',
  'If this was you, change the address of the account that uses this one first.':
    'Wenn Sie das waren, ändern Sie zuerst die Adresse des Kontos, das diese verwendet.',
  'Your email address was changed': 'Ihre E-Mail-Adresse wurde geändert',
  'The email address of your account was changed. Sign in with the new address from now on.':
    'Die E-Mail-Adresse Ihres Kontos wurde geändert. Melden Sie sich ab jetzt mit der neuen Adresse an.',
  From: 'Bisher',
  To: 'Neu',
  Website: 'Website',
  'none given': 'nicht angegeben',
  'Change password': 'Passwort ändern',
  'If this was you, no action is needed.': 'Wenn Sie das waren, müssen Sie nichts tun.',
  'If it wasn’t you, someone else knows your password. Sign in, change the password and then the address. If you can’t sign in anymore, ask your administrator to stop the account.':
    'Wenn Sie das nicht waren, kennt jemand anderes Ihr Passwort. Melden Sie sich an, ändern Sie das Passwort und dann die Adresse. Wenn Sie sich nicht mehr anmelden können, bitten Sie Ihre Administratorin oder Ihren Administrator, das Konto zu sperren.',
  'Someone signed in to your account with your password, in a new browser.':
    'Jemand hat sich mit Ihrem Passwort in einem neuen Browser bei Ihrem Konto angemeldet.',
  'Someone signed in to your account with your passkey, in a new browser.':
    'Jemand hat sich mit Ihrem Passkey in einem neuen Browser bei Ihrem Konto angemeldet.',
  'If it wasn’t you, someone else knows your password. Change it, and sign out the sessions you don’t recognize.':
    'Wenn Sie das nicht waren, kennt jemand anderes Ihr Passwort. Ändern Sie es, und beenden Sie die Sitzungen, die Sie nicht kennen.',
  'If it wasn’t you, someone else has your passkey. Remove it, and sign out the sessions you don’t recognize.':
    'Wenn Sie das nicht waren, hat jemand anderes Ihren Passkey. Entfernen Sie ihn, und beenden Sie die Sitzungen, die Sie nicht kennen.',
  'View security settings': 'Sicherheitseinstellungen ansehen',
  'New sign-in to your account': 'Neue Anmeldung bei Ihrem Konto',
  When: 'Wann',
  Browser: 'Browser',
  Address: 'Adresse',
  'View sessions': 'Sitzungen ansehen',
  'Reset your password': 'Setzen Sie Ihr Passwort zurück',
  'Someone asked to reset the password of your account.':
    'Jemand hat angefordert, das Passwort Ihres Kontos zurückzusetzen.',
  'The link works once, for 30 minutes. If you didn’t ask for it, ignore this email: your password stays the same.':
    'Der Link ist 30 Minuten gültig und funktioniert nur einmal. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.',
  'Your password was changed': 'Ihr Passwort wurde geändert',
  'The password of your account was changed, and you were signed out everywhere else.':
    'Das Passwort Ihres Kontos wurde geändert, und Sie wurden überall sonst abgemeldet.',
  'If this was you, no action is needed. If it wasn’t, reset your password now.':
    'Wenn Sie das waren, müssen Sie nichts tun. Andernfalls setzen Sie Ihr Passwort jetzt zurück.',
  'You gave {app} access to your account': 'Sie haben {app} Zugriff auf Ihr Konto gegeben',
  'You approved an app:': 'Sie haben eine App genehmigt:',
  App: 'App',
  For: 'Für',
  'If this was you, no action is needed. If not, remove the app’s access and change your password.':
    'Wenn Sie das waren, müssen Sie nichts tun. Andernfalls entfernen Sie den Zugriff der App und ändern Sie Ihr Passwort.',
  'the team {team}': 'das Team {team}',
  // Pages that say what went wrong:
  'This page is out of date': 'Diese Seite ist veraltet',
  'You’ve signed in again since you opened it. Nothing was saved yet, but what you typed is kept.':
    'Sie haben sich seit dem Öffnen erneut angemeldet. Es wurde noch nichts gespeichert, aber Ihre Eingaben sind noch da.',
  'What you typed is kept here. Keep this page open, and send it once you’ve chosen a new password.':
    'Was Sie eingegeben haben, ist hier noch da. Lassen Sie diese Seite offen und senden Sie es ab, sobald Sie ein neues Passwort gewählt haben.',
  'Send it now': 'Jetzt absenden',
  'You’ve signed in again since you opened it, so nothing was saved. Open the page again and retry.':
    'Sie haben sich neu angemeldet, seit Sie sie geöffnet haben, deshalb wurde nichts gespeichert. Öffnen Sie die Seite noch einmal und versuchen Sie es erneut.',
  'Open the page again': 'Seite noch einmal öffnen',
  'This form came from another site': 'Dieses Formular kam von einer anderen Website',
  'For your safety, nothing was changed. Open the page here and try again.':
    'Zu Ihrer Sicherheit wurde nichts geändert. Öffnen Sie die Seite hier und versuchen Sie es noch einmal.',
  'Page not found': 'Seite nicht gefunden',
  'The link may be wrong, or the page was removed.':
    'Der Link ist möglicherweise falsch, oder die Seite wurde entfernt.',
  'We’ll be back in a moment': 'Wir sind gleich wieder da',
  'Try again in a few seconds.': 'Versuchen Sie es in ein paar Sekunden noch einmal.',
  'Too many requests': 'Zu viele Anfragen',
  'They came from your network. Nothing was changed. Try again in a few seconds.':
    'Sie kamen aus Ihrem Netzwerk. Es wurde nichts geändert. Versuchen Sie es in ein paar Sekunden noch einmal.',
  'Something went wrong': 'Etwas ist schiefgelaufen',
  'It’s our fault. Try again.': 'Der Fehler liegt bei uns. Versuchen Sie es noch einmal.',
  'This request couldn’t be read': 'Diese Anfrage konnte nicht gelesen werden',
  'Nothing was changed. Go back and try again.':
    'Es wurde nichts geändert. Gehen Sie zurück und versuchen Sie es noch einmal.',
  'Nothing was changed.': 'Es wurde nichts geändert.',
  'Try again tomorrow.': 'Versuchen Sie es morgen noch einmal.',
  'You, your apps or your network have asked for too much.':
    'Sie, Ihre Apps oder Ihr Netzwerk haben zu viele Anfragen gesendet.',
  'You have made too many changes in one day.': 'Sie haben an einem Tag zu viele Änderungen vorgenommen.',
  'You or your network have sent too many emails through us.':
    'Sie oder Ihr Netzwerk haben zu viele E-Mails über uns gesendet.',
  'This booking has changed too often. You can still cancel it.':
    'Diese Buchung wurde zu oft geändert. Absagen können Sie sie weiterhin.',
  'Too many accounts or links were asked for from your network.':
    'Aus Ihrem Netzwerk wurden zu viele Konten oder Links angefordert.',
  'Send it again': 'Noch einmal senden',
} as const satisfies Readonly<Record<string, Translation>>;
