// This program books and cancels with the client that ogen makes.
package main

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"time"

	"latchkey.test/clients/ogen/api"

	"github.com/ogen-go/ogen/ogenerrors"
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

// token is the only way in; ogen asks for the others, too.
type token string

func (t token) AccessToken(context.Context, api.OperationName) (api.AccessToken, error) {
	return api.AccessToken{Token: string(t)}, nil
}

func (t token) BookingToken(context.Context, api.OperationName) (api.BookingToken, error) {
	return api.BookingToken{}, ogenerrors.ErrSkipClientSecurity
}

func (t token) ClientBasic(context.Context, api.OperationName) (api.ClientBasic, error) {
	return api.ClientBasic{}, ogenerrors.ErrSkipClientSecurity
}

func (t token) ClientId(context.Context, api.OperationName) (api.ClientId, error) {
	return api.ClientId{}, ogenerrors.ErrSkipClientSecurity
}

func (t token) ClientSecret(context.Context, api.OperationName) (api.ClientSecret, error) {
	return api.ClientSecret{}, ogenerrors.ErrSkipClientSecurity
}

func (t token) OAuth2(context.Context, api.OperationName) (api.OAuth2, error) {
	return api.OAuth2{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	base, day := os.Args[1], os.Args[4]
	id := must(strconv.Atoi(os.Args[3]))
	ctx := context.Background()
	client := must(api.NewClient(base, token(os.Args[2])))
	me := must(client.GetMe(ctx, api.GetMeParams{})).(*api.GetMeOKHeaders)
	query := api.ListSlotsParams{EventTypeId: api.NewOptInt(id), Start: day, End: day}
	slots := must(client.ListSlots(ctx, query)).(*api.ListSlotsOKHeaders)
	start := slots.Response.Data[day][0].Start
	attendee := api.NewAttendee{Name: "Bob Jones", Email: "bob@example.com", TimeZone: "Europe/Rome"}
	body := api.NewBooking{EventTypeId: api.NewOptInt(id), Start: start, Attendee: attendee}
	booked := must(client.CreateBooking(ctx, &body, api.CreateBookingParams{})).(*api.CreateBookingCreatedHeaders)
	uid := booked.Response.Data.UID
	listed := must(client.ListBookings(ctx, api.ListBookingsParams{EventTypeIds: []int{id}})).(*api.ListBookingsOKHeaders)
	cancelled := must(client.CancelBooking(ctx, api.OptCancellation{}, api.CancelBookingParams{UID: uid})).(*api.CancelBookingOKHeaders)
	body.Start = time.Unix(86400, 0).UTC()
	refused := must(client.CreateBooking(ctx, &body, api.CreateBookingParams{})).(*api.CreateBookingBadRequest)
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"email":     me.Response.Data.Email,
		"accepted":  booked.Response.Data.Status == api.BookingStatusAccepted,
		"listed":    listed.Response.Data[0].UID == uid,
		"cancelled": string(cancelled.Response.Data.Status),
		"refused":   refused.Response.Error.Details,
	})
}
