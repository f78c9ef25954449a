import type { Dictionary } from './dictionary.ts';

/**
 * The reader is “vous”. An app is “application”, access “accès”, a booking “réservation”, an event
 * type “type d’événement”, a host “hôte”, an attendee “participant”, a free time “créneau”, a
 * schedule “horaires de disponibilité”, a passkey “clé d’accès”, an email “e-mail”.
 */
export const french = {
  // The frame of all pages:
  'Skip to content': 'Aller au contenu',
  'Error:': 'Erreur :',
  'API documentation': 'Documentation de l’API',
  Language: 'Langue',
  'Change language': 'Changer de langue',
  'Browser’s language': 'Langue du navigateur',
  Main: 'Navigation principale',
  Menu: 'Menu',
  Account: 'Compte',
  Docs: 'Documentation',
  'Sign in': 'Se connecter',
  'Sign out': 'Se déconnecter',
  'Sign out of {service}?': 'Se déconnecter de {service} ?',
  '{app} asks you to sign out of {service}, too.':
    '{app} vous demande de vous déconnecter aussi de {service}.',
  'This ends your session in this browser. Apps keep the access that you approved.':
    'Votre session dans ce navigateur prendra fin. Les applications conservent l’accès que vous avez approuvé.',
  'Stay signed in': 'Rester connecté',
  'You’re signed out': 'Vous êtes déconnecté',
  'You can close this page.': 'Vous pouvez fermer cette page.',
  waiting: 'en attente',
  'Go to home': 'Aller à l’accueil',
  Settings: 'Paramètres',
  'All settings': 'Tous les paramètres',
  Admin: 'Administration',
  Profile: 'Profil',
  Sessions: 'Sessions',
  'Account activity': 'Activité du compte',
  'Your data': 'Vos données',
  People: 'Personnes',
  Teams: 'Équipes',
  Organization: 'Organisation',
  Overview: 'Vue d’ensemble',
  Accounts: 'Comptes',
  'Audit log': 'Journal d’audit',
  'Outgoing email': 'E-mails sortants',
  Apps: 'Applications',
  Developer: 'Développeurs',
  'Connected apps': 'Applications connectées',
  'Your apps': 'Vos applications',
  Review: 'Examen',
  Security: 'Sécurité',
  'Personal tokens': 'Jetons personnels',
  Scheduling: 'Planification',
  Bookings: 'Réservations',
  'Event types': 'Types d’événement',
  Schedules: 'Horaires',
  Availability: 'Disponibilités',
  Calendars: 'Calendriers',
  Webhooks: 'Webhooks',
  // Sign-in and sign-up:
  'Email address': 'Adresse e-mail',
  Password: 'Mot de passe',
  Name: 'Nom',
  'Sign in with a passkey': 'Se connecter avec une clé d’accès',
  'Forgot your password?': 'Mot de passe oublié ?',
  'New here?': 'Première visite ?',
  'Create an account': 'Créer un compte',
  'Create account': 'Créer le compte',
  'Already have an account?': 'Vous avez déjà un compte ?',
  'The first account administers this installation: create yours now.':
    'Le premier compte administre cette installation : créez le vôtre maintenant.',
  'Sign-ups are closed. Ask your administrator for an account.':
    'Les inscriptions sont fermées. Demandez un compte à votre administrateur.',
  'At least 10 characters. A few random words work well.':
    'Au moins 10 caractères. Quelques mots au hasard conviennent bien.',
  'Sign in to continue to {app}': 'Connectez-vous pour continuer vers {app}',
  'Create an account to continue to {app}': 'Créez un compte pour continuer vers {app}',
  'Enter your password to continue to {app}': 'Saisissez votre mot de passe pour continuer vers {app}',
  'Reset your password to continue to {app}': 'Réinitialisez votre mot de passe pour continuer vers {app}',
  'Sign in to continue to the app.': 'Connectez-vous pour continuer vers l’application.',
  'Create an account to continue to the app.': 'Créez un compte pour continuer vers l’application.',
  'Enter your password to continue to the app.':
    'Saisissez votre mot de passe pour continuer vers l’application.',
  'Reset your password to continue to the app.':
    'Réinitialisez votre mot de passe pour continuer vers l’application.',
  'Sign in to continue.': 'Connectez-vous pour continuer.',
  'Create an account to continue.': 'Créez un compte pour continuer.',
  'Enter your password to continue.': 'Saisissez votre mot de passe pour continuer.',
  'Reset your password to continue.': 'Réinitialisez votre mot de passe pour continuer.',
  'Sign in to answer your invitation.': 'Connectez-vous pour répondre à votre invitation.',
  'Create an account to answer your invitation.': 'Créez un compte pour répondre à votre invitation.',
  'Enter your password to answer your invitation.':
    'Saisissez votre mot de passe pour répondre à votre invitation.',
  'Reset your password to answer your invitation.':
    'Réinitialisez votre mot de passe pour répondre à votre invitation.',
  'You’re signed in': 'Vous êtes connecté',
  Continue: 'Continuer',
  'Your account is suspended': 'Votre compte est suspendu',
  'An admin suspended it for this reason:': 'Un administrateur l’a suspendu pour la raison suivante :',
  'You can’t sign in, and your apps and public pages don’t work. If you think this is a mistake, contact the people who run this service.':
    'Vous ne pouvez pas vous connecter, et vos applications et pages publiques ne fonctionnent pas. S’il s’agit selon vous d’une erreur, contactez les responsables de ce service.',
  'Incorrect email or password.': 'Adresse e-mail ou mot de passe incorrect.',
  'Incorrect password.': 'Mot de passe incorrect.',
  'Too many failed sign-ins.': 'Trop de tentatives de connexion échouées.',
  'If you can’t wait, reset your password.':
    'Si vous ne pouvez pas attendre, réinitialisez votre mot de passe.',
  'Try again in a minute.': 'Réessayez dans une minute.',
  'Try again in {minutes} {minutes|minute|minutes}.': 'Réessayez dans {minutes} {minutes|minute|minutes}.',
  'An account with this email already exists. Sign in instead.':
    'Un compte existe déjà avec cette adresse e-mail. Connectez-vous.',
  'This password is easy to guess. Use a few unrelated words, and not your email or username.':
    'Ce mot de passe est facile à deviner. Utilisez quelques mots sans rapport entre eux, mais pas votre adresse e-mail ni votre nom d’utilisateur.',
  'Your browser didn’t keep the cookie that signs you in. Allow cookies for this site, then sign in again.':
    'Votre navigateur n’a pas conservé le cookie de connexion. Autorisez les cookies pour ce site, puis reconnectez-vous.',
  'You were signed out, so this form wasn’t saved. Fill it in again.':
    'Vous avez été déconnecté : ce formulaire n’a donc pas été enregistré. Remplissez-le à nouveau.',
  'What you typed is kept, and sent once you’ve confirmed.':
    'Ce que vous avez saisi est conservé et sera envoyé dès que vous aurez confirmé.',
  'You were signed out. What you typed is kept, and sent once you’ve signed in.':
    'Vous avez été déconnecté. Ce que vous avez saisi est conservé et sera envoyé dès que vous vous serez connecté.',
  'You are in these teams and organizations. If you don’t know one, leave it once you’re signed in: someone else may have joined it for you.':
    'Vous faites partie de ces équipes et organisations. Si vous n’en connaissez pas une, quittez-la une fois connecté : quelqu’un d’autre a pu la rejoindre à votre place.',
  'You confirmed it’s you. Nothing was changed yet, so send this form again.':
    'Vous avez confirmé votre identité. Rien n’a encore été modifié : renvoyez ce formulaire.',
  // Forgotten passwords:
  'We’ll email you a link to choose a new one.':
    'Nous vous enverrons par e-mail un lien pour en choisir un nouveau.',
  'Email me a link': 'M’envoyer un lien',
  'No mail server is set up here, so we can’t send you a link. Ask your administrator.':
    'Aucun serveur de messagerie n’est configuré ici : nous ne pouvons pas vous envoyer de lien. Adressez-vous à votre administrateur.',
  'Back to sign in': 'Retour à la connexion',
  'Check your email': 'Consultez vos e-mails',
  'Email isn’t set up': 'L’e-mail n’est pas configuré',
  'If there’s an account with this email address, we’ve sent it a link. The link works for 30 minutes.':
    'Si un compte existe avec cette adresse e-mail, nous y avons envoyé un lien. Le lien est valable 30 minutes.',
  'Nothing there after a few minutes? Look in your spam folder, or check the address and [try again]. You can request up to three emails every 30 minutes.':
    'Toujours rien après quelques minutes ? Regardez dans vos courriers indésirables, ou vérifiez l’adresse et [réessayez]. Vous pouvez demander jusqu’à trois e-mails toutes les 30 minutes.',
  'Choose a new password': 'Choisir un nouveau mot de passe',
  'For the account {email}. You’ll be signed out everywhere else.':
    'Pour le compte {email}. Vous serez déconnecté partout ailleurs.',
  'New password': 'Nouveau mot de passe',
  'Keep what’s in this account': 'Conserver le contenu de ce compte',
  'Keep {things}': 'Conserver : {things}',
  'Otherwise {consequences}. Select this only if no one else may have used your account.':
    'Sinon : {consequences}. Ne cochez cette case que si personne d’autre n’a pu utiliser votre compte.',
  'Someone else may have signed up with your address. Otherwise {things} end. Select this only if you created the account yourself.':
    'Une autre personne s’est peut-être inscrite avec votre adresse. Si vous ne cochez pas cette case, les éléments suivants prendront fin : {things}. Ne cochez cette case que si vous avez créé le compte vous-même.',
  'Set new password': 'Définir le nouveau mot de passe',
  apps: 'applications',
  webhooks: 'webhooks',
  'personal tokens': 'jetons personnels',
  'the chosen calendar': 'calendrier choisi',
  calendars: 'calendriers',
  teams: 'équipes',
  'connected apps, the account’s own apps': 'applications connectées, applications propres au compte',
  'open invitations of owners and admins are withdrawn':
    'les invitations en cours à devenir propriétaire ou administrateur sont retirées',
  'every app loses its access and needs your permission again':
    'chaque application perd son accès et a de nouveau besoin de votre autorisation',
  'your personal tokens end': 'vos jetons personnels sont révoqués',
  'webhooks are turned off': 'les webhooks sont désactivés',
  'bookings are no longer written to a calendar':
    'les réservations ne sont plus inscrites dans un calendrier',
  'This link doesn’t work': 'Ce lien ne fonctionne pas',
  'This link has expired or was already used.': 'Ce lien a expiré ou a déjà été utilisé.',
  'Request a new link': 'Demander un nouveau lien',
  // Verification:
  'Verify your email to continue': 'Vérifiez votre adresse e-mail pour continuer',
  'We need to know that {email} is your address. Open the link that we emailed to you when you signed up, or get a new one. Then you come back to this step.':
    'Nous devons nous assurer que {email} est bien votre adresse. Ouvrez le lien que nous vous avons envoyé lors de votre inscription, ou demandez-en un nouveau. Vous reviendrez ensuite à cette étape.',
  'Not your address?': 'Ce n’est pas votre adresse ?',
  'Change email address': 'Changer d’adresse e-mail',
  'Verify email address': 'Vérifier l’adresse e-mail',
  'Change your email address': 'Changer d’adresse e-mail',
  'Verify your email address': 'Vérifiez votre adresse e-mail',
  'Send new link': 'Envoyer un nouveau lien',
  'We’ve sent a link to {email}. Open it in this browser to verify your address. It works once, for 24 hours.':
    'Nous avons envoyé un lien à {email}. Ouvrez-le dans ce navigateur pour vérifier votre adresse. Il fonctionne une seule fois, pendant 24 heures.',
  'Nothing there after a few minutes? Look in your spam folder, or get a new link.':
    'Toujours rien après quelques minutes ? Regardez dans vos courriers indésirables, ou demandez un nouveau lien.',
  'We’ve sent you an email. Open its link in this browser to verify your address and sign in. It works once, for 24 hours.':
    'Nous vous avons envoyé un e-mail. Ouvrez son lien dans ce navigateur pour vérifier votre adresse et vous connecter. Il fonctionne une seule fois, pendant 24 heures.',
  'Nothing there after a few minutes? Look in your spam folder, or sign in to get a new link.':
    'Toujours rien après quelques minutes ? Regardez dans vos courriers indésirables, ou connectez-vous pour obtenir un nouveau lien.',
  'Your account will use {email}. You sign in with this address from then on.':
    'Votre compte utilisera {email}. Vous vous connecterez désormais avec cette adresse.',
  'You use {email} for your account.': 'Vous utilisez {email} pour votre compte.',
  'This link isn’t for the account of {email}. Sign out, and sign in with the account that asked for the link.':
    'Ce lien n’est pas destiné au compte {email}. Déconnectez-vous, puis connectez-vous avec le compte qui a demandé le lien.',
  'Sign in with your current address to change it to {email}.':
    'Connectez-vous avec votre adresse actuelle pour la remplacer par {email}.',
  'If you didn’t ask for this, close this page: nothing is changed.':
    'Si vous n’êtes pas à l’origine de cette demande, fermez cette page : rien ne change.',
  'Sign in to verify {email}. That way nobody else can set up an account with your address.':
    'Connectez-vous pour vérifier {email}. Ainsi, personne d’autre ne peut créer un compte avec votre adresse.',
  'If you don’t know the password, [reset it]: this verifies your address, too. If you didn’t sign up, close this page: without you, the account can’t do anything.':
    'Si vous ne connaissez pas le mot de passe, [réinitialisez-le] : cela vérifie aussi votre adresse. Si vous ne vous êtes pas inscrit, fermez cette page : sans vous, le compte ne peut rien faire.',
  'This link has expired, was already used, or was replaced by a newer one.':
    'Ce lien a expiré, a déjà été utilisé ou a été remplacé par un plus récent.',
  'Go to your profile': 'Aller à votre profil',
  // Confirmation and passkeys:
  'Confirm it’s you': 'Confirmez votre identité',
  'You signed in a while ago. Before you {act}, enter your password again.':
    'Vous vous êtes connecté il y a un moment. Pour continuer, saisissez à nouveau votre mot de passe ({act}).',
  Confirm: 'Confirmer',
  'Use your passkey instead': 'Utiliser plutôt votre clé d’accès',
  'make a sensitive change': 'effectuer une modification sensible',
  'give {app} full access to your account': 'donner à {app} un accès complet à votre compte',
  'give {app} access to your account': 'donner à {app} l’accès à votre compte',
  'change your email address': 'changer d’adresse e-mail',
  'change your password': 'changer de mot de passe',
  'download your data': 'télécharger vos données',
  'delete your account': 'supprimer votre compte',
  'delete an app': 'supprimer une application',
  'add a client secret': 'ajouter un secret client',
  'change how you sign in': 'modifier votre mode de connexion',
  'create a personal token': 'créer un jeton personnel',
  'Use your passkey': 'Utilisez votre clé d’accès',
  'Use passkey': 'Utiliser la clé d’accès',
  'Passkeys need JavaScript and a browser that supports them.':
    'Les clés d’accès nécessitent JavaScript et un navigateur qui les prend en charge.',
  'Your browser didn’t use a passkey. Try again.':
    'Votre navigateur n’a pas utilisé de clé d’accès. Réessayez.',
  'Your password is right. Confirm with one of your passkeys.':
    'Votre mot de passe est correct. Confirmez avec l’une de vos clés d’accès.',
  'Your browser shows the passkeys you have for {service}.':
    'Votre navigateur affiche les clés d’accès que vous avez pour {service}.',
  'No passkey at hand?': 'Pas de clé d’accès sous la main ?',
  'Recovery code': 'Code de récupération',
  'You saved 10 of them when you added your first passkey.':
    'Vous en avez enregistré 10 lors de l’ajout de votre première clé d’accès.',
  'Use recovery code': 'Utiliser le code de récupération',
  'Start over': 'Recommencer',
  'Use your password instead': 'Utiliser plutôt votre mot de passe',
  'Enter a recovery code.': 'Saisissez un code de récupération.',
  'This recovery code is wrong, or was used before.':
    'Ce code de récupération est incorrect ou a déjà été utilisé.',
  'Your browser didn’t send a passkey. Try again.':
    'Votre navigateur n’a pas envoyé de clé d’accès. Réessayez.',
  'This passkey didn’t work. Try again, or use another one.':
    'Cette clé d’accès n’a pas fonctionné. Réessayez ou utilisez-en une autre.',
  'Your password alone doesn’t sign you in': 'Votre mot de passe seul ne suffit pas pour vous connecter',
  'Your account has a passkey, and this service has turned passkeys off. Ask the people who run it to turn them on again, or to remove your passkeys.':
    'Votre compte possède une clé d’accès, mais ce service a désactivé les clés d’accès. Demandez à ses responsables de les réactiver ou de supprimer les vôtres.',
  // The frame of all emails:
  'You get this email because of your {app} account. If you didn’t expect it, sign in and look at your settings.':
    'Vous recevez cet e-mail en raison de votre compte {app}. Si vous ne l’attendiez pas, connectez-vous et vérifiez vos paramètres.',
  'Or open': 'Ou ouvrez',
  // Booking pages:
  '{hours} {hours|hour|hours}': '{hours} {hours|heure|heures}',
  '{minutes} {minutes|minute|minutes}': '{minutes} {minutes|minute|minutes}',
  '{hours} {minutes}': '{hours} et {minutes}',
  '{kind}: {place}': '{kind} : {place}',
  '{label} (optional)': '{label} (facultatif)',
  '{event} with {names}': '{event} avec {names}',
  '{event} between {hosts} and {attendee}': '{event} entre {hosts} et {attendee}',
  'one of {names}': 'l’une de ces personnes ({names})',
  '{count} {count|other|others}': '{count} {count|autre personne|autres personnes}',
  'The host confirms each booking': 'L’hôte confirme chaque réservation',
  'The host will tell you where': 'L’hôte vous indiquera le lieu',
  'Book {name}': 'Réserver avec {name}',
  'Choose an event type and a time that suits you.':
    'Choisissez un type d’événement et l’horaire qui vous convient.',
  'Choose an event type to book.': 'Choisissez un type d’événement à réserver.',
  Length: 'Durée',
  'No event types yet': 'Aucun type d’événement pour l’instant',
  'People can book {team} here once it has an event type. Until then, only members see this page.':
    'Il sera possible de réserver avec {team} ici dès qu’un type d’événement existera. D’ici là, seuls les membres voient cette page.',
  'Create event type': 'Créer un type d’événement',
  'View team': 'Voir l’équipe',
  'Event type not found': 'Type d’événement introuvable',
  'The link may be wrong, or its host removed this event type.':
    'Le lien est peut-être incorrect, ou l’hôte a supprimé ce type d’événement.',
  'See what {name} offers': 'Voir ce que propose {name}',
  'Time zone': 'Fuseau horaire',
  'Change time zone': 'Changer de fuseau horaire',
  Months: 'Mois',
  'Days with available times in {month}': 'Jours avec des créneaux disponibles en {month}',
  today: 'aujourd’hui',
  '{count} {count|time|times}': '{count} {count|créneau|créneaux}',
  'No times are available.': 'Aucun créneau n’est disponible.',
  'We can’t load available times right now. Try again in a few minutes.':
    'Impossible de charger les créneaux disponibles pour le moment. Réessayez dans quelques minutes.',
  'The host’s calendar can’t be read, so nobody can book at the moment. We’ve told the host.':
    'Le calendrier de l’hôte ne peut pas être lu : personne ne peut donc réserver pour le moment. Nous avons prévenu l’hôte.',
  'Try again': 'Réessayer',
  'No times available in {month}.': 'Aucun créneau disponible en {month}.',
  'View {month}': 'Voir {month}',
  'Later months can’t be booked yet.': 'Les mois suivants ne peuvent pas encore être réservés.',
  'No times available on this day. Choose another one.':
    'Aucun créneau disponible ce jour-là. Choisissez-en un autre.',
  Times: 'Horaires',
  'Choose a day to see available times.': 'Choisissez un jour pour voir les créneaux disponibles.',
  'No times this month.': 'Aucun créneau ce mois-ci.',
  'We don’t know that time zone. Times are shown in {zone}.':
    'Nous ne connaissons pas ce fuseau horaire. Les horaires sont affichés dans le fuseau {zone}.',
  'That day can’t be booked. Choose another one.':
    'Ce jour ne peut pas être réservé. Choisissez-en un autre.',
  'Choose another time': 'Choisir un autre créneau',
  'Choose another day': 'Choisir un autre jour',
  'Other times on this day': 'Autres créneaux ce jour-là',
  'No other times on this day.': 'Aucun autre créneau ce jour-là.',
  'Book this time': 'Réserver ce créneau',
  'Request this time': 'Demander ce créneau',
  'We’ll send your confirmation and a link to reschedule or cancel.':
    'Nous vous enverrons une confirmation et un lien pour reprogrammer ou annuler.',
  'Visible to the host. This server can’t send email.':
    'Visible par l’hôte. Ce serveur ne peut pas envoyer d’e-mails.',
  'Visible to the host.': 'Visible par l’hôte.',
  'Notes (optional)': 'Remarques (facultatif)',
  'Guests (optional)': 'Invités (facultatif)',
  'Reason (optional)': 'Motif (facultatif)',
  'Email addresses, one per line.': 'Adresses e-mail, une par ligne.',
  'Email addresses, one per line, up to 10.': 'Adresses e-mail, une par ligne, 10 au maximum.',
  'Email addresses, one per line, up to 10. Guests are notified.':
    'Adresses e-mail, une par ligne, 10 au maximum. Les invités sont prévenus.',
  Where: 'Lieu',
  'Where: {place}': 'Lieu : {place}',
  'Choose where.': 'Choisissez le lieu.',
  'In person': 'En personne',
  Online: 'En ligne',
  'Phone call': 'Appel téléphonique',
  'At your address': 'À votre adresse',
  'Phone call to your number': 'Appel à votre numéro',
  'At a place you choose': 'Dans un lieu de votre choix',
  'Your address': 'Votre adresse',
  'Your phone number': 'Votre numéro de téléphone',
  Place: 'Lieu',
  'Your address, phone number or place': 'Votre adresse, numéro de téléphone ou lieu',
  'Needed for: {places}.': 'Nécessaire pour : {places}.',
  'Enter your address.': 'Saisissez votre adresse.',
  'Enter a phone number such as +49 30 123456.': 'Saisissez un numéro de téléphone comme +49 30 123456.',
  'Enter a place.': 'Saisissez un lieu.',
  'Choose…': 'Choisir…',
  Yes: 'Oui',
  'Too many bookings from your network. Try again in a minute.':
    'Trop de réservations depuis votre réseau. Réessayez dans une minute.',
  'We can’t check available times right now. Try again in a minute.':
    'Impossible de vérifier les créneaux disponibles pour le moment. Réessayez dans une minute.',
  'This host can’t take more bookings today. Try again tomorrow.':
    'Cet hôte ne peut plus accepter de réservations aujourd’hui. Réessayez demain.',
  'This time is no longer available. Choose another one.':
    'Ce créneau n’est plus disponible. Choisissez-en un autre.',
  'This time is no longer available. Choose another one. If you just booked it, you’re all set.':
    'Ce créneau n’est plus disponible. Choisissez-en un autre. Si vous venez de le réserver, tout est en ordre.',
  'You already made a booking with this form. To make another one, choose another time.':
    'Vous avez déjà réservé avec ce formulaire. Pour une autre réservation, choisissez un autre créneau.',
  Booked: 'Réservée',
  Pending: 'En attente',
  Past: 'Passée',
  Rescheduled: 'Reprogrammée',
  Cancelled: 'Annulée',
  Declined: 'Refusée',
  'You’re booked.': 'Votre réservation est confirmée.',
  'The host still has to confirm this booking.': 'L’hôte doit encore confirmer cette réservation.',
  'This booking is over and can’t be changed.': 'Cette réservation est passée et ne peut plus être modifiée.',
  'This booking was never confirmed, and its time is over.':
    'Cette réservation n’a jamais été confirmée, et sa date est passée.',
  'This booking was rescheduled.': 'Cette réservation a été reprogrammée.',
  'This booking was cancelled.': 'Cette réservation a été annulée.',
  'The host declined this booking.': 'L’hôte a refusé cette réservation.',
  With: 'Avec',
  Join: 'Rejoindre',
  'Booked by': 'Réservée par',
  Guests: 'Invités',
  Notes: 'Remarques',
  Reason: 'Motif',
  'Reason for rescheduling': 'Motif de la reprogrammation',
  'Rescheduled from {time}.': 'Horaire précédent : {time}.',
  'New time:': 'Nouvel horaire :',
  'Add to calendar:': 'Ajouter au calendrier :',
  '.ics file': 'fichier .ics',
  'We sent a confirmation to {email}. Use the link in it to come back to this page.':
    'Nous avons envoyé une confirmation à {email}. Le lien qu’elle contient vous ramène à cette page.',
  'We sent the details to {email}. Use the link in it to come back to this page.':
    'Nous avons envoyé les détails à {email}. Le lien contenu dans l’e-mail vous ramène à cette page.',
  'This server can’t send email. Save the address of this page to come back.':
    'Ce serveur ne peut pas envoyer d’e-mails. Conservez l’adresse de cette page pour y revenir.',
  Reschedule: 'Reprogrammer',
  'Cancel booking': 'Annuler la réservation',
  'Keep booking': 'Conserver la réservation',
  'Book another time': 'Réserver un autre créneau',
  'Join the meeting': 'Rejoindre la réunion',
  'Link set by': 'Lien de',
  'Leads to': 'Mène à',
  'That site isn’t part of {app}. Never enter your {app} password there.':
    'Ce site ne fait pas partie de {app}. N’y saisissez jamais votre mot de passe {app}.',
  'Continue to {host}': 'Continuer vers {host}',
  'This meeting doesn’t take place': 'Cette réunion n’a pas lieu',
  'It’s over, or it was cancelled or rescheduled. A newer email has the new time and link.':
    'Elle est terminée, ou a été annulée ou reprogrammée. Un e-mail plus récent contient le nouvel horaire et le lien.',
  'Cancel this booking?': 'Annuler cette réservation ?',
  'All attendees will be notified and the time reopens.':
    'Tous les participants seront prévenus et le créneau redeviendra disponible.',
  'The time reopens. This server can’t send email, so nobody is notified.':
    'Le créneau redeviendra disponible. Ce serveur ne peut pas envoyer d’e-mails : personne ne sera prévenu.',
  'Reschedule: {title}': 'Reprogrammer : {title}',
  'Reschedule booking': 'Reprogrammer la réservation',
  'Your booking': 'Votre réservation',
  'Choose a new time': 'Choisissez un nouvel horaire',
  'Currently {time}': 'Actuellement : {time}',
  '{title}, currently {time}': '{title}, actuellement : {time}',
  'Reschedule to this time?': 'Reprogrammer à cet horaire ?',
  'The host has to confirm the new time. The current time is released immediately.':
    'L’hôte doit confirmer le nouvel horaire. L’horaire actuel est libéré immédiatement.',
  'Keep current time': 'Conserver l’horaire actuel',
  'Enter a name without web addresses.': 'Saisissez un nom sans adresse web.',
  'Enter text.': 'Saisissez un texte.',
  'Enter up to {number} guests.': 'Saisissez {number} invités au maximum.',
  '“{text}” isn’t a valid email address. Enter one per line.':
    '« {text} » n’est pas une adresse e-mail valide. Saisissez-en une par ligne.',
  'Shorten this text.': 'Raccourcissez ce texte.',
  'Check this box.': 'Cochez cette case.',
  'Choose an option.': 'Choisissez une option.',
  'Answer this question.': 'Répondez à cette question.',
  'Enter email addresses, one per line.': 'Saisissez des adresses e-mail, une par ligne.',
  'Choose from the options.': 'Choisissez parmi les options.',
  'Choose one of the options.': 'Choisissez l’une des options.',
  'Enter a number.': 'Saisissez un nombre.',
  'Enter a phone number.': 'Saisissez un numéro de téléphone.',
  'Enter a link that begins with https://.': 'Saisissez un lien qui commence par https://.',
  // Booking emails:
  '{subject}: {title}, {time}': '{subject} : {title}, {time}',
  'This booking is confirmed.': 'Cette réservation est confirmée.',
  'Your request was sent. We’ll email you when the host confirms or declines it.':
    'Votre demande a été envoyée. Nous vous écrirons dès que l’hôte l’aura confirmée ou refusée.',
  'New request': 'Nouvelle demande',
  'Someone wants to book this time with you. Confirm or decline it.':
    'Quelqu’un souhaite réserver ce créneau avec vous. Confirmez-le ou refusez-le.',
  'Rescheduled by': 'Reprogrammée par',
  'Rescheduled and confirmed': 'Reprogrammée et confirmée',
  'This booking was rescheduled and is confirmed.': 'Cette réservation a été reprogrammée et est confirmée.',
  'New time pending': 'Nouvel horaire en attente',
  'You rescheduled this booking. The host has to confirm the new time; the previous time was released.':
    'Vous avez reprogrammé cette réservation. L’hôte doit confirmer le nouvel horaire ; le précédent a été libéré.',
  'New time requested': 'Nouvel horaire demandé',
  'The attendee rescheduled this booking. Confirm or decline the new time; the previous time is free again.':
    'Le participant a reprogrammé cette réservation. Confirmez ou refusez le nouvel horaire ; le précédent est de nouveau libre.',
  'No longer at this time': 'N’a plus lieu à cet horaire',
  'This booking no longer takes place at this time. If the host confirms a new time, we’ll email you.':
    'Cette réservation n’a plus lieu à cet horaire. Si l’hôte en confirme un nouveau, nous vous écrirons.',
  Confirmed: 'Confirmée',
  'The host confirmed this booking.': 'L’hôte a confirmé cette réservation.',
  'Cancelled by': 'Annulée par',
  'New host': 'Nouvel hôte',
  'This booking has a new host.': 'Cette réservation a un nouvel hôte.',
  'This booking has a new host, who still has to confirm it.':
    'Cette réservation a un nouvel hôte, qui doit encore la confirmer.',
  'Assigned to you': 'Réservation qui vous est attribuée',
  'You now host this booking.': 'Vous êtes désormais l’hôte de cette réservation.',
  'You now host this booking. Confirm or decline it.':
    'Vous êtes désormais l’hôte de cette réservation. Confirmez-la ou refusez-la.',
  Reassigned: 'Réattribuée',
  'This booking was reassigned to another host.': 'Cette réservation a été attribuée à un autre hôte.',
  'View booking': 'Voir la réservation',
  'Confirm or decline booking': 'Confirmer ou refuser la réservation',
  'Reschedule or cancel booking': 'Reprogrammer ou annuler la réservation',
  'You received this email because someone made a booking with this address. If it wasn’t you, ignore this email.':
    'Vous recevez cet e-mail parce que quelqu’un a réservé avec cette adresse. Si ce n’est pas vous, ignorez-le.',
  'You received this email because someone made a booking with this address. If it wasn’t you, use the link to cancel it.':
    'Vous recevez cet e-mail parce que quelqu’un a réservé avec cette adresse. Si ce n’est pas vous, utilisez le lien pour annuler la réservation.',
  'You received this email because someone added you as a guest. If you don’t know why, ignore it.':
    'Vous recevez cet e-mail parce que quelqu’un vous a ajouté comme invité. Si vous ne savez pas pourquoi, ignorez-le.',
  'the rest is on the booking’s page': 'la suite est sur la page de la réservation',
  'the host': 'l’hôte',
  '{name} (attendee)': '{name} (participant)',
  What: 'Objet',
  'Previous time': 'Horaire précédent',
  'The address you entered': 'L’adresse que vous avez saisie',
  'The phone number you entered': 'Le numéro de téléphone que vous avez saisi',
  'The place you entered': 'Le lieu que vous avez saisi',
  // What is wrong with a form:
  'Enter an email address.': 'Saisissez une adresse e-mail.',
  'Enter a valid email address.': 'Saisissez une adresse e-mail valide.',
  'Use an address without “+” and 25 letters or digits before the @.':
    'Utilisez une adresse sans « + » suivi de 25 lettres ou chiffres avant le @.',
  'Enter a password.': 'Saisissez un mot de passe.',
  'Enter your password.': 'Saisissez votre mot de passe.',
  'Enter your name.': 'Saisissez votre nom.',
  'Use at least {number} characters.': 'Utilisez au moins {number} caractères.',
  'Use at most {number} characters.': 'Utilisez {number} caractères au maximum.',
  'The NUL character isn’t allowed.': 'Le caractère NUL n’est pas autorisé.',
  'Line breaks and control characters aren’t allowed.':
    'Les sauts de ligne et les caractères de contrôle ne sont pas autorisés.',
  'Control characters aren’t allowed.': 'Les caractères de contrôle ne sont pas autorisés.',
  'Remove characters that change the text direction.':
    'Supprimez les caractères qui modifient le sens d’écriture.',
  'Use visible characters.': 'Utilisez des caractères visibles.',
  // Consent:
  'Allow {app}?': 'Autoriser {app} ?',
  '{app} wants access to your {service} account': '{app} souhaite accéder à votre compte {service}',
  'Sign in to {app}': 'Se connecter à l’application {app}',
  'No website given': 'Aucun site web indiqué',
  'Reviewed by {service}': 'Examinée par {service}',
  'You approved this app on {date}.': 'Vous avez approuvé cette application le {date}.',
  'It’s asking for different permissions this time.': 'Cette fois, elle demande d’autres autorisations.',
  'Signed in as': 'Connecté en tant que',
  'Use another account': 'Utiliser un autre compte',
  '{app} asks you to sign in as {email}.': '{app} vous demande de vous connecter en tant que {email}.',
  '{app} asks you to sign in with another account.':
    '{app} vous demande de vous connecter avec un autre compte.',
  'You’re signed in as {email}.': 'Vous êtes connecté en tant que {email}.',
  'Back to the app': 'Revenir à l’application',
  'It gets access to the team {team}.': 'Elle aura accès à l’équipe {team}.',
  'Access to': 'Accès à',
  '{name} (you)': '{name} (vous)',
  '{name} (team)': '{name} (équipe)',
  '{app} will be able to:': '{app} pourra :',
  '{app} won’t be able to:': '{app} ne pourra pas :',
  Read: 'Lecture',
  New: 'Nouveau',
  'Read and change': 'Lecture et modification',
  'This includes the teams that you manage: {teams}.': 'Cela comprend les équipes que vous gérez : {teams}.',
  'Remove access anytime in Settings → Connected apps.':
    'Vous pouvez retirer l’accès à tout moment dans Paramètres → Applications connectées.',
  'This access is for {resources}.': 'Cet accès concerne {resources}.',
  'your account': 'votre compte',
  'Don’t ask again for {app}': 'Ne plus demander pour {app}',
  'You’ll be redirected to {host}': 'Vous serez redirigé vers {host}',
  'You’ll be redirected to an app on this device: {host}':
    'Vous serez redirigé vers une application de cet appareil : {host}',
  'You’ll be redirected to an app on this device: {host}. Allow it only if you started it yourself.':
    'Vous serez redirigé vers une application de cet appareil : {host}. Ne l’autorisez que si vous l’avez lancée vous-même.',
  Deny: 'Refuser',
  Allow: 'Autoriser',
  'Opening {app}…': 'Ouverture de {app}…',
  'You can close this page once it’s open.': 'Vous pourrez fermer cette page une fois l’application ouverte.',
  'You’ve already allowed this': 'Vous avez déjà donné cette autorisation',
  'The app has the access that you approved. Go back to the app.':
    'L’application dispose de l’accès que vous avez approuvé. Revenez à l’application.',
  'View connected apps': 'Voir les applications connectées',
  'This page has expired': 'Cette page a expiré',
  'It was opened too long ago or already used, or you’ve signed in again since. Your click changed nothing.':
    'Elle a été ouverte il y a trop longtemps ou déjà utilisée, ou vous vous êtes reconnecté depuis. Votre clic n’a rien modifié.',
  'View the request again': 'Revoir la demande',
  'Invalid request': 'Demande non valide',
  'Part of the address is repeated, too long or damaged.':
    'Une partie de l’adresse est répétée, trop longue ou endommagée.',
  'Go back to the app and try again. If it keeps happening, contact the developer.':
    'Revenez à l’application et réessayez. Si le problème persiste, contactez le développeur.',
  'Unknown app': 'Application inconnue',
  'The address names no registered app.': 'L’adresse ne correspond à aucune application enregistrée.',
  'This app isn’t available': 'Cette application n’est pas disponible',
  'It isn’t approved at the moment.': 'Elle n’est pas approuvée pour le moment.',
  'Contact the developer.': 'Contactez le développeur.',
  'Incomplete request': 'Demande incomplète',
  'It doesn’t say where to send you afterwards.': 'Elle n’indique pas où vous rediriger ensuite.',
  'The redirect URI doesn’t match': 'L’URI de redirection ne correspond pas',
  'The app asked to send you to an address that it hasn’t registered.':
    'L’application a demandé à vous rediriger vers une adresse qu’elle n’a pas enregistrée.',
  'Your click changed nothing.': 'Votre clic n’a rien modifié.',
  'Nothing was shared.': 'Rien n’a été partagé.',
  'Is it your app? Sign in with the account that registered it and open this address again to see what to fix.':
    'Est-ce votre application ? Connectez-vous avec le compte qui l’a enregistrée et rouvrez cette adresse pour voir ce qu’il faut corriger.',
  'Building this app? Send each parameter once, in UTF-8, with at most 2,048 characters (state: 4,096).':
    'Vous développez cette application ? Envoyez chaque paramètre une seule fois, en UTF-8, avec 2 048 caractères au maximum (state : 4 096).',
  'Building this app? Check that client_id is the client ID on your app’s page, or the full https address of its metadata document.':
    'Vous développez cette application ? Vérifiez que client_id est l’ID client indiqué sur la page de votre application, ou l’adresse https complète de son document de métadonnées.',
  'Building this app? Check that client_id is the client ID on your app’s page.':
    'Vous développez cette application ? Vérifiez que client_id est l’ID client indiqué sur la page de votre application.',
  'This is your app: {app}': 'C’est votre application : {app}',
  'Your app is in review. Users can’t connect it until it’s approved.':
    'Votre application est en cours d’examen. Personne ne peut la connecter avant son approbation.',
  'Your app isn’t approved. Its page says why, and how to resubmit it.':
    'Votre application n’est pas approuvée. Sa page indique pourquoi et comment la soumettre à nouveau.',
  'View app': 'Voir l’application',
  'Redirect URI in this request:': 'URI de redirection de cette demande :',
  'None.': 'Aucun.',
  'Registered redirect URIs (send one of them, character for character):':
    'URI de redirection enregistrés (envoyez l’un d’eux, au caractère près) :',
  'Edit app': 'Modifier l’application',
  // Permissions, which are said with the care of a contract:
  'Use your account to sign you in': 'Utiliser votre compte pour vous connecter',
  'Use your account to sign you in, and see your name, email address, username, time zone and language, and when they last changed':
    'Utiliser votre compte pour vous connecter, et voir votre nom, votre adresse e-mail, votre nom d’utilisateur, votre fuseau horaire et votre langue, ainsi que la date de leur dernière modification',
  'Use your account to sign you in, and see your email address':
    'Utiliser votre compte pour vous connecter, et voir votre adresse e-mail',
  'Use your account to sign you in, and see your name, username, time zone and language, and when they last changed':
    'Utiliser votre compte pour vous connecter, et voir votre nom, votre nom d’utilisateur, votre fuseau horaire et votre langue, ainsi que la date de leur dernière modification',
  'See your password, or change how you sign in':
    'Voir votre mot de passe ou modifier votre façon de vous connecter',
  'Change your email address, your teams or your other apps':
    'Modifier votre adresse e-mail, vos équipes ou vos autres applications',
  'See your name, email address, username and time zone, and your teams with their members':
    'Voir votre nom, votre adresse e-mail, votre nom d’utilisateur et votre fuseau horaire, ainsi que vos équipes et leurs membres',
  'See your name, email address, username and time zone, and the members of the team':
    'Voir votre nom, votre adresse e-mail, votre nom d’utilisateur et votre fuseau horaire, ainsi que les membres de l’équipe',
  'See or change your profile, or see your teams': 'Voir ou modifier votre profil, ou voir vos équipes',
  'Change your profile, or see your teams': 'Modifier votre profil ou voir vos équipes',
  'See or change your own bookings, schedules and calendars':
    'Voir ou modifier vos propres réservations, horaires de disponibilité et calendriers',
  'See your profile with your email address, and your teams with their members; change your name, time zone, default schedule and how times are shown':
    'Voir votre profil avec votre adresse e-mail, ainsi que vos équipes et leurs membres ; modifier votre nom, votre fuseau horaire, vos horaires de disponibilité par défaut et l’affichage des heures',
  'Change your name, time zone or default schedule':
    'Modifier votre nom, votre fuseau horaire ou vos horaires de disponibilité par défaut',
  'See your event types': 'Voir vos types d’événement',
  'See, create, change and delete the event types of the team':
    'Voir, créer, modifier et supprimer les types d’événement de l’équipe',
  'See the event types of the team': 'Voir les types d’événement de l’équipe',
  'See or change your event types': 'Voir ou modifier vos types d’événement',
  'See, create, change and delete your event types':
    'Voir, créer, modifier et supprimer vos types d’événement',
  'Change your event types': 'Modifier vos types d’événement',
  'See your bookings, with the names, email addresses and answers of people who book you':
    'Voir vos réservations, avec le nom, l’adresse e-mail et les réponses des personnes qui réservent avec vous',
  'See or change your bookings': 'Voir ou modifier vos réservations',
  'See, create, change and cancel the bookings of the team, with the names, email addresses and answers of people who book it':
    'Voir, créer, modifier et annuler les réservations de l’équipe, avec le nom, l’adresse e-mail et les réponses des personnes qui la réservent',
  'See the bookings of the team, with the names, email addresses and answers of people who book it':
    'Voir les réservations de l’équipe, avec le nom, l’adresse e-mail et les réponses des personnes qui la réservent',
  'See, create, change and cancel your bookings, with the names, email addresses and answers of people who book you':
    'Voir, créer, modifier et annuler vos réservations, avec le nom, l’adresse e-mail et les réponses des personnes qui réservent avec vous',
  'Create, change or cancel bookings': 'Créer, modifier ou annuler des réservations',
  'See your schedules, connected calendars and when you are busy in them':
    'Voir vos horaires de disponibilité, vos calendriers connectés et vos plages occupées dans ces calendriers',
  'See the working hours of the members of the team': 'Voir les heures de travail des membres de l’équipe',
  'See or change your schedules and connected calendars':
    'Voir ou modifier vos horaires de disponibilité et vos calendriers connectés',
  'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them':
    'Voir, créer, modifier et supprimer vos horaires de disponibilité, connecter et déconnecter des calendriers, et voir vos plages occupées dans ces calendriers',
  'Change your schedules, connect or disconnect calendars':
    'Modifier vos horaires de disponibilité, connecter ou déconnecter des calendriers',
  'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go':
    'Voir, créer, modifier et supprimer vos horaires de disponibilité, connecter et déconnecter des calendriers, voir les plages occupées et choisir où inscrire les réservations',
  'See your webhooks, and what was sent to them': 'Voir vos webhooks et ce qui leur a été envoyé',
  'See, create, change and delete webhooks of the team, which send its bookings to other services':
    'Voir, créer, modifier et supprimer les webhooks de l’équipe, qui envoient ses réservations à d’autres services',
  'See the webhooks of the team, and what was sent to them':
    'Voir les webhooks de l’équipe et ce qui leur a été envoyé',
  'See or change your webhooks': 'Voir ou modifier vos webhooks',
  'See, create, change and delete your webhooks, which send your bookings to other services':
    'Voir, créer, modifier et supprimer vos webhooks, qui envoient vos réservations à d’autres services',
  'Create, change or delete webhooks': 'Créer, modifier ou supprimer des webhooks',
  // Connected apps:
  'Remove all access': 'Retirer tous les accès',
  'These apps have access to your account. You can remove it anytime, with immediate effect.':
    'Ces applications ont accès à votre compte. Vous pouvez retirer cet accès à tout moment, avec effet immédiat.',
  'No connected apps': 'Aucune application connectée',
  'Apps you approve appear here.': 'Les applications que vous approuvez apparaissent ici.',
  'This app isn’t currently approved by our reviewers. It can’t use your account until it is.':
    'Cette application n’est pas approuvée actuellement par nos examinateurs. Elle ne peut pas utiliser votre compte tant qu’elle ne l’est pas.',
  'Team {team}': 'Équipe {team}',
  'Your account': 'Votre compte',
  'Connected since {date}, last active {moment}': 'Connectée depuis le {date}, dernière activité : {moment}',
  'You no longer manage this team, so the app can’t access it.':
    'Vous ne gérez plus cette équipe : l’application ne peut donc pas y accéder.',
  'It can': 'Elle peut',
  'Nothing: the app no longer uses the permissions that you approved':
    'Rien : l’application n’utilise plus les autorisations que vous avez approuvées',
  'For {resources}': 'Pour {resources}',
  'Not connected at the moment.': 'Non connectée pour le moment.',
  'It can connect to the team {team} without asking you. You chose this on {date}.':
    'Elle peut se connecter à l’équipe {team} sans vous le demander. Vous l’avez choisi le {date}.',
  'It can connect to your account without asking you. You chose this on {date}.':
    'Elle peut se connecter à votre compte sans vous le demander. Vous l’avez choisi le {date}.',
  'Ask me every time': 'Me demander à chaque fois',
  'Remove access': 'Retirer l’accès',
  'for {app}': 'pour {app}',
  Previous: 'Précédent',
  Next: 'Suivant',
  Pages: 'Pages',
  'No apps have access to your account.': 'Aucune application n’a accès à votre compte.',
  '{count} {count|app has|apps have} access to your account. If you remove it:':
    '{count} {count|application a|applications ont} accès à votre compte. Si vous retirez cet accès :',
  'No app can use your account or your teams, effective immediately.':
    'Aucune application ne pourra utiliser votre compte ou vos équipes, avec effet immédiat.',
  'Apps will need your permission again.': 'Les applications auront de nouveau besoin de votre autorisation.',
  'Your own tokens for the API end, too.': 'Vos propres jetons pour l’API seront également révoqués.',
  'Anything that they created stays.': 'Tout ce que ces applications ont créé sera conservé.',
  Cancel: 'Annuler',
  'Access removed. The app can no longer use your account.':
    'Accès retiré. L’application ne peut plus utiliser votre compte.',
  'All access removed. No app can use your account.':
    'Tous les accès ont été retirés. Aucune application ne peut utiliser votre compte.',
  'The app will ask you every time from now on.': 'L’application vous le demandera désormais à chaque fois.',
  // Emails of accounts and consent:
  'Unknown browser': 'Navigateur inconnu',
  '{browser} on {system}': '{browser} sous {system}',
  'You get this email because someone entered your address on our site.':
    'Vous recevez cet e-mail parce que quelqu’un a saisi votre adresse sur notre site.',
  'Someone uses this email address for an account. If it was you:':
    'Quelqu’un utilise cette adresse e-mail pour un compte. Si c’est vous :',
  'The link works once, for 24 hours. If it wasn’t you, ignore this email: the account can’t do anything with your address.':
    'Le lien fonctionne une seule fois, pendant 24 heures. Si ce n’est pas vous, ignorez cet e-mail : le compte ne peut rien faire avec votre adresse.',
  'You already have an account': 'Vous avez déjà un compte',
  'Someone tried to sign up with your email address. You already have an account with it.':
    'Quelqu’un a tenté de s’inscrire avec votre adresse e-mail. Vous avez déjà un compte avec celle-ci.',
  'If this was you, sign in, or reset your password. If it wasn’t, no action is needed: nothing was changed.':
    'Si c’est vous, connectez-vous ou réinitialisez votre mot de passe. Sinon, vous n’avez rien à faire : rien n’a été modifié.',
  'Reset password': 'Réinitialiser le mot de passe',
  'Your email address already has an account': 'Un compte existe déjà avec votre adresse e-mail',
  'Someone tried to sign up with your email address. It already has an account, which was never verified.':
    'Quelqu’un a tenté de s’inscrire avec votre adresse e-mail. Un compte existe déjà avec celle-ci, mais il n’a jamais été vérifié.',
  'To use that account, reset its password: this verifies your address and signs everyone else out. If you didn’t sign up, no action is needed.':
    'Pour utiliser ce compte, réinitialisez son mot de passe : cela vérifie votre adresse et déconnecte toutes les autres personnes. Si vous ne vous êtes pas inscrit, vous n’avez rien à faire.',
  'Confirm your new email address': 'Confirmez votre nouvelle adresse e-mail',
  'Someone wants to use this email address for their account. If it was you:':
    'Quelqu’un souhaite utiliser cette adresse e-mail pour son compte. Si c’est vous :',
  'The link works once, for 24 hours, where you’re signed in. If it wasn’t you, ignore this email: nothing is changed.':
    'Le lien fonctionne une seule fois, pendant 24 heures, là où vous êtes connecté. Si ce n’est pas vous, ignorez cet e-mail : rien ne change.',
  'Someone tried to use your email address': 'Quelqu’un a tenté d’utiliser votre adresse e-mail',
  'Someone tried to change the email address of their account to yours. It belongs to another account, so nothing was changed, and they were not told why.':
    'Quelqu’un a tenté de remplacer l’adresse e-mail de son compte par la vôtre. Votre adresse appartient à un autre compte : rien n’a donc été modifié, et cette personne n’en connaît pas la raison.',
  'If this was you, change the address of the account that uses this one first.':
    'Si c’est vous, changez d’abord l’adresse du compte qui utilise celle-ci.',
  'Your email address was changed': 'Votre adresse e-mail a été modifiée',
  'The email address of your account was changed. Sign in with the new address from now on.':
    'L’adresse e-mail de votre compte a été modifiée. Connectez-vous désormais avec la nouvelle adresse.',
  From: 'Ancienne adresse',
  To: 'Nouvelle adresse',
  Website: 'Site web',
  'none given': 'non indiqué',
  'Change password': 'Changer de mot de passe',
  'If this was you, no action is needed.': 'Si c’est vous, vous n’avez rien à faire.',
  'If it wasn’t you, someone else knows your password. Sign in, change the password and then the address. If you can’t sign in anymore, ask your administrator to stop the account.':
    'Si ce n’est pas vous, quelqu’un d’autre connaît votre mot de passe. Connectez-vous, changez le mot de passe puis l’adresse. Si vous ne pouvez plus vous connecter, demandez à votre administrateur de suspendre le compte.',
  'Someone signed in to your account with your password, in a new browser.':
    'Quelqu’un s’est connecté à votre compte avec votre mot de passe, dans un nouveau navigateur.',
  'Someone signed in to your account with your passkey, in a new browser.':
    'Quelqu’un s’est connecté à votre compte avec votre clé d’accès, dans un nouveau navigateur.',
  'If it wasn’t you, someone else knows your password. Change it, and sign out the sessions you don’t recognize.':
    'Si ce n’est pas vous, quelqu’un d’autre connaît votre mot de passe. Changez-le et déconnectez les sessions que vous ne reconnaissez pas.',
  'If it wasn’t you, someone else has your passkey. Remove it, and sign out the sessions you don’t recognize.':
    'Si ce n’est pas vous, quelqu’un d’autre possède votre clé d’accès. Supprimez-la et déconnectez les sessions que vous ne reconnaissez pas.',
  'View security settings': 'Voir les paramètres de sécurité',
  'New sign-in to your account': 'Nouvelle connexion à votre compte',
  When: 'Quand',
  Browser: 'Navigateur',
  Address: 'Adresse',
  'View sessions': 'Voir les sessions',
  'Reset your password': 'Réinitialisez votre mot de passe',
  'Someone asked to reset the password of your account.':
    'Quelqu’un a demandé la réinitialisation du mot de passe de votre compte.',
  'The link works once, for 30 minutes. If you didn’t ask for it, ignore this email: your password stays the same.':
    'Le lien fonctionne une seule fois, pendant 30 minutes. Si vous ne l’avez pas demandé, ignorez cet e-mail : votre mot de passe reste le même.',
  'Your password was changed': 'Votre mot de passe a été modifié',
  'The password of your account was changed, and you were signed out everywhere else.':
    'Le mot de passe de votre compte a été modifié, et vous avez été déconnecté partout ailleurs.',
  'If this was you, no action is needed. If it wasn’t, reset your password now.':
    'Si c’est vous, vous n’avez rien à faire. Sinon, réinitialisez votre mot de passe maintenant.',
  'You gave {app} access to your account': 'Vous avez donné à {app} l’accès à votre compte',
  'You approved an app:': 'Vous avez approuvé une application :',
  App: 'Application',
  For: 'Pour',
  'If this was you, no action is needed. If not, remove the app’s access and change your password.':
    'Si c’est vous, vous n’avez rien à faire. Sinon, retirez l’accès de l’application et changez votre mot de passe.',
  'the team {team}': 'l’équipe {team}',
  // Pages that say what went wrong:
  'This page is out of date': 'Cette page n’est plus à jour',
  'You’ve signed in again since you opened it. Nothing was saved yet, but what you typed is kept.':
    'Vous vous êtes reconnecté depuis que vous l’avez ouverte. Rien n’a encore été enregistré, mais ce que vous avez saisi est conservé.',
  'What you typed is kept here. Keep this page open, and send it once you’ve chosen a new password.':
    'Ce que vous avez saisi est conservé ici. Gardez cette page ouverte et envoyez-le une fois que vous aurez choisi un nouveau mot de passe.',
  'Send it now': 'Envoyer maintenant',
  'You’ve signed in again since you opened it, so nothing was saved. Open the page again and retry.':
    'Vous vous êtes reconnecté depuis son ouverture : rien n’a été enregistré. Rouvrez la page et réessayez.',
  'Open the page again': 'Rouvrir la page',
  'This form came from another site': 'Ce formulaire provient d’un autre site',
  'For your safety, nothing was changed. Open the page here and try again.':
    'Pour votre sécurité, rien n’a été modifié. Ouvrez la page ici et réessayez.',
  'Page not found': 'Page introuvable',
  'The link may be wrong, or the page was removed.':
    'Le lien est peut-être incorrect, ou la page a été supprimée.',
  'We’ll be back in a moment': 'Nous revenons dans un instant',
  'Try again in a few seconds.': 'Réessayez dans quelques secondes.',
  'Too many requests': 'Trop de requêtes',
  'They came from your network. Nothing was changed. Try again in a few seconds.':
    'Elles provenaient de votre réseau. Rien n’a été modifié. Réessayez dans quelques secondes.',
  'Something went wrong': 'Une erreur s’est produite',
  'It’s our fault. Try again.': 'C’est de notre faute. Réessayez.',
  'This request couldn’t be read': 'Cette requête n’a pas pu être lue',
  'Nothing was changed. Go back and try again.': 'Rien n’a été modifié. Revenez en arrière et réessayez.',
  'Nothing was changed.': 'Rien n’a été modifié.',
  'Try again tomorrow.': 'Réessayez demain.',
  'You, your apps or your network have asked for too much.':
    'Vous, vos applications ou votre réseau avez envoyé trop de requêtes.',
  'You have made too many changes in one day.': 'Vous avez effectué trop de modifications en une journée.',
  'You or your network have sent too many emails through us.':
    'Vous ou votre réseau avez envoyé trop d’e-mails par notre intermédiaire.',
  'This booking has changed too often. You can still cancel it.':
    'Cette réservation a changé trop souvent. Vous pouvez toujours l’annuler.',
  'Too many accounts or links were asked for from your network.':
    'Trop de comptes ou de liens ont été demandés depuis votre réseau.',
  'Send it again': 'Renvoyer',
} as const satisfies Dictionary;
